-- Nothing read it: REST and commands list sessions from the memory of the nodes.
DROP TABLE client_session;
