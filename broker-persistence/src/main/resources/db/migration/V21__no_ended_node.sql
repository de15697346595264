-- Members tell a node over the links that it was declared dead.
DROP TABLE ended_node;
