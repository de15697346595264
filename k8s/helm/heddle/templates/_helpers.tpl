{{- define "heddle.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 40 | trimSuffix "-" }}
{{- end }}

{{/* At most 40 characters, because the names of pods and the labels with them are longer. A name that is cut ends with a hash of the whole. */}}
{{- define "heddle.fullname" -}}
{{- $name := printf "%s-%s" .Release.Name (include "heddle.name" .) }}
{{- if .Values.fullnameOverride }}
{{- $name = .Values.fullnameOverride }}
{{- else if contains (include "heddle.name" .) .Release.Name }}
{{- $name = .Release.Name }}
{{- end }}
{{- if gt (len $name) 40 }}
{{- printf "%s-%s" ($name | trunc 33 | trimSuffix "-") (sha256sum $name | trunc 6) }}
{{- else }}
{{- $name | trimSuffix "-" }}
{{- end }}
{{- end }}

{{- define "heddle.selector" -}}
app.kubernetes.io/name: {{ include "heddle.name" . | quote }}
app.kubernetes.io/instance: {{ .Release.Name | quote }}
app.kubernetes.io/component: broker
{{- end }}

{{- define "heddle.labels" -}}
app.kubernetes.io/name: {{ include "heddle.name" . | quote }}
app.kubernetes.io/instance: {{ .Release.Name | quote }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- with .Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "heddle.serviceAccount" -}}
{{- if .Values.serviceAccount.create }}{{ default (include "heddle.fullname" .) .Values.serviceAccount.name }}{{ else }}{{ default "default" .Values.serviceAccount.name }}{{ end }}
{{- end }}

{{- define "heddle.image" -}}
{{ .Values.image.repository }}:{{ default .Chart.AppVersion .Values.image.tag }}
{{- end }}

{{/* The enabled listeners in the order of their names, as JSON: a list of their values with their names. */}}
{{- define "heddle.listeners" -}}
{{- $all := list }}
{{- range $name, $listener := .Values.listeners }}
{{- if $listener.enabled }}
{{- $all = append $all (merge (dict "name" $name) $listener) }}
{{- end }}
{{- end }}
{{- toJson $all }}
{{- end }}

{{/* A setting as text: whole numbers of values files are floats, which would get an exponent. */}}
{{- define "heddle.text" -}}
{{- if and (kindIs "float64" .) (eq (floor .) .) }}{{ int64 . }}{{ else }}{{ toString . }}{{ end }}
{{- end }}

{{/* Bytes of a quantity such as 2Gi, 512M, 1e9 or 2147483648. */}}
{{- define "heddle.bytes" -}}
{{- $text := include "heddle.text" . }}
{{- $unit := regexFind "[a-zA-Z]+$" $text }}
{{- $factor := get (dict "" 1.0 "m" 0.001 "k" 1e3 "M" 1e6 "G" 1e9 "T" 1e12 "Ki" 1024.0 "Mi" 1048576.0 "Gi" 1073741824.0 "Ti" 1099511627776.0) $unit }}
{{- mulf (float64 (trimSuffix $unit $text)) $factor | int64 }}
{{- end }}

{{/* Fails if a value is no quantity. Arguments: value, and its name. */}}
{{- define "heddle.quantity" -}}
{{- if not (regexMatch "^[0-9]+(\\.[0-9]+)?([eE][0-9]+|m|k|Ki|M|Mi|G|Gi|T|Ti)?$" (include "heddle.text" .value)) }}{{ fail (printf "%s: \"%s\" is no quantity of Kubernetes: write processors as 2 or 500m, and bytes with Mi, Gi or Ti (powers of 1024) or M, G or T (powers of 1000), such as 2Gi" .name (include "heddle.text" .value)) }}{{ end }}
{{- end }}

{{/* The ports in the hosts of a URL, as a JSON list. Arguments: url, and the port of hosts without one. */}}
{{- define "heddle.ports" -}}
{{- $hosts := .url | regexFind "^([a-z]+:)*//[^/?]*|^[^/]+$" | splitList "/" | last | splitList "@" | last }}
{{- $ports := list }}
{{- range splitList "," $hosts }}
{{- $ports = append $ports (int (default $.port (trimPrefix ":" (regexFind ":[0-9]+$" (regexReplaceAll "\\[[^]]*\\]" . ""))))) }}
{{- end }}
{{- toJson (uniq $ports) }}
{{- end }}

{{/* The variable of a setting: heddle.mqtt.stop-timeout is HEDDLE_MQTT_STOP_TIMEOUT. */}}
{{- define "heddle.variable" -}}
{{- . | upper | replace "[" "_" | replace "]" "" | replace "." "_" | replace "-" "_" }}
{{- end }}

{{- define "heddle.tlsSecret" -}}
{{- if .Values.tls.certManager.enabled }}{{ include "heddle.fullname" . }}-tls{{ else }}{{ .Values.tls.existingSecret }}{{ end }}
{{- end }}

{{- define "heddle.credentialsSecret" -}}
{{- default (printf "%s-credentials" (include "heddle.fullname" .)) .Values.credentials.existingSecret }}
{{- end }}

{{- define "heddle.administratorSecret" -}}
{{- default (printf "%s-administrator" (include "heddle.fullname" .)) .Values.administrator.existingSecret }}
{{- end }}

{{/* Whether a job sets the passwords of administrators. It asks a broker, so there must be one. */}}
{{- define "heddle.setup" -}}
{{- and .Values.administrator.setup (or .Values.autoscaling.enabled (gt (int .Values.replicaCount) 0)) }}
{{- end }}

{{/* Kafka: the operator's cluster, or the addresses that are given. */}}
{{- define "heddle.kafka.name" -}}{{ include "heddle.fullname" . }}-kafka{{- end }}
{{- define "heddle.kafka.bootstrapServers" -}}
{{- if .Values.kafka.strimzi.enabled }}{{ include "heddle.kafka.name" . }}-kafka-bootstrap:9093{{ else }}{{ .Values.kafka.bootstrapServers }}{{ end }}
{{- end }}
{{- define "heddle.kafka.protocol" -}}
{{- if .Values.kafka.strimzi.enabled }}SASL_SSL{{ else }}{{ .Values.kafka.securityProtocol }}{{ end }}
{{- end }}
{{- define "heddle.kafka.secret" -}}
{{- if .Values.kafka.strimzi.enabled }}{{ include "heddle.fullname" . }}{{ else }}{{ .Values.kafka.existingSecret }}{{ end }}
{{- end }}
{{- define "heddle.kafka.caSecret" -}}
{{- if .Values.kafka.strimzi.enabled }}{{ include "heddle.kafka.name" . }}-cluster-ca-cert{{ else }}{{ .Values.kafka.caSecret }}{{ end }}
{{- end }}
{{- define "heddle.kafka.mechanism" -}}
{{- if .Values.kafka.strimzi.enabled }}SCRAM-SHA-512{{ else }}{{ .Values.kafka.saslMechanism }}{{ end }}
{{- end }}

{{- define "heddle.redis.name" -}}{{ include "heddle.fullname" . }}-redis{{- end }}
{{- define "heddle.redis.url" -}}
{{- if .Values.redis.operator.enabled }}redis://{{ include "heddle.redis.name" . }}-leader:6379{{ else }}{{ .Values.redis.url }}{{ end }}
{{- end }}
{{- define "heddle.redis.secret" -}}
{{- if and .Values.redis.operator.enabled (not .Values.redis.existingSecret) }}{{ include "heddle.redis.name" . }}{{ else }}{{ .Values.redis.existingSecret }}{{ end }}
{{- end }}
{{- define "heddle.redis.passwordKey" -}}
{{- if and .Values.redis.operator.enabled (not .Values.redis.existingSecret) }}password{{ else }}{{ .Values.redis.passwordKey }}{{ end }}
{{- end }}

{{- define "heddle.postgres.name" -}}{{ include "heddle.fullname" . }}-postgres{{- end }}
{{- define "heddle.postgres.url" -}}
{{- if .Values.postgres.cloudnativepg.enabled }}jdbc:postgresql://{{ include "heddle.postgres.name" . }}-rw:5432/heddle{{ else }}{{ .Values.postgres.url }}{{ end }}
{{- end }}
{{- define "heddle.postgres.secret" -}}
{{- if .Values.postgres.cloudnativepg.enabled }}{{ include "heddle.postgres.name" . }}-app{{ else }}{{ .Values.postgres.existingSecret }}{{ end }}
{{- end }}

{{/* A password that survives upgrades: that of the stored secret, or else a new one. Arguments: root, secret, key. */}}
{{- define "heddle.password" -}}
{{- $stored := lookup "v1" "Secret" .root.Release.Namespace .secret }}
{{- if and $stored (hasKey (default dict $stored.data) .key) }}{{ index $stored.data .key | b64dec }}{{ else }}{{ randAlphaNum 32 }}{{ end }}
{{- end }}

{{/* Variables with which a process finds the database. */}}
{{- define "heddle.postgres.env" -}}
- name: HEDDLE_POSTGRES_URL
  value: {{ include "heddle.postgres.url" . | quote }}
{{- with include "heddle.postgres.secret" . }}
- name: HEDDLE_POSTGRES_USER
  valueFrom:
    secretKeyRef:
      name: {{ . }}
      key: {{ $.Values.postgres.usernameKey }}
- name: HEDDLE_POSTGRES_PASSWORD
  valueFrom:
    secretKeyRef:
      name: {{ . }}
      key: {{ $.Values.postgres.passwordKey }}
{{- end }}
{{- end }}

{{/* What the schema cannot say: values that need each other. Each message names the value and the remedy. */}}
{{- define "heddle.check" -}}
{{- $name := include "heddle.fullname" . }}
{{- if gt (len .Values.fullnameOverride) 40 }}{{ fail (printf "fullnameOverride: %s has %d characters, but names of pods and labels get longer ones: use at most 40" .Values.fullnameOverride (len .Values.fullnameOverride)) }}{{ end }}
{{- if not (regexMatch "^[a-z]([-a-z0-9]*[a-z0-9])?$" $name) }}{{ fail (printf "the objects would be called %s, which is no name of a Service: set fullnameOverride to lower-case letters, digits and dashes that begin with a letter" $name) }}{{ end }}
{{- $listeners := include "heddle.listeners" . | fromJsonArray }}
{{- if not $listeners }}{{ fail "listeners: all are disabled, so no client could connect: enable one, for example listeners.mqtt.enabled=true" }}{{ end }}
{{- $ports := dict (toString .Values.http.port) "http.port" }}
{{- range $port := list "http" "cluster" }}
{{- if lt (int (get $.Values $port).port) 1024 }}{{ fail (printf "%s.port: %v is below 1024, and the brokers have no capability to open such a port: choose one from 1024 on" $port (get $.Values $port).port) }}{{ end }}
{{- end }}
{{- $servicePorts := dict }}
{{- if hasKey $ports (toString .Values.cluster.port) }}{{ fail (printf "cluster.port: %v is http.port, too: choose another port" .Values.cluster.port) }}{{ end }}
{{- $_ := set $ports (toString .Values.cluster.port) "cluster.port" }}
{{- range $values := list "commonLabels" "podLabels" }}
{{- range $label, $_ := get $.Values $values }}
{{- if regexMatch "^(app\\.kubernetes\\.io/(name|instance|component|version|managed-by)|helm\\.sh/chart)$" $label }}{{ fail (printf "%s: %s is set by the chart: remove it" $values $label) }}{{ end }}
{{- end }}
{{- end }}
{{- $secure := false }}
{{- range $listeners }}
{{- if not (regexMatch "[a-z]" .name) }}{{ fail (printf "listeners.%s: a port has no such name: use at least one letter" .name) }}{{ end }}
{{- if has .name (list "http" "cluster") }}{{ fail (printf "listeners.%s: the pods have another port with this name: choose another name" .name) }}{{ end }}
{{- if hasKey $ports (toString .port) }}{{ fail (printf "listeners.%s.port: %v is %s, too: choose another port" .name .port (get $ports (toString .port))) }}{{ end }}
{{- $_ := set $ports (toString .port) (printf "listeners.%s.port" .name) }}
{{- if lt (int .port) 1024 }}{{ fail (printf "listeners.%s.port: %v is below 1024, and the brokers have no capability to open such a port: choose one from 1024 on, and set listeners.%s.servicePort=%v for clients" .name .port .name .port) }}{{ end }}
{{- $servicePort := toString (default .port .servicePort) }}
{{- if hasKey $servicePorts $servicePort }}{{ fail (printf "listeners.%s: the Service already has the port %s for listeners.%s: set another listeners.%s.servicePort" .name $servicePort (get $servicePorts $servicePort) .name) }}{{ end }}
{{- $_ := set $servicePorts $servicePort .name }}
{{- if has .kind (list "tls" "wss") }}{{ $secure = true }}{{ end }}
{{- if and (has .kind (list "tls" "wss")) (not $.Values.tls.enabled) }}{{ fail (printf "listeners.%s: its kind is %s, but there is no certificate: set tls.enabled=true with tls.existingSecret or tls.certManager" .name .kind) }}{{ end }}
{{- if and .proxyProtocol (not .trustedProxies) }}{{ fail (printf "listeners.%s.proxyProtocol: trustedProxies is empty, so all connections would be refused: list the networks of the load balancer" .name) }}{{ end }}
{{- end }}
{{- if .Values.tls.enabled }}
{{- if and .Values.tls.existingSecret .Values.tls.certManager.enabled }}{{ fail "tls.existingSecret: tls.certManager.enabled is true, too: use one of them" }}{{ end }}
{{- if not (or .Values.tls.existingSecret .Values.tls.certManager.enabled) }}{{ fail "tls.enabled: there is no certificate: set tls.existingSecret, or tls.certManager.enabled=true" }}{{ end }}
{{- if not $secure }}{{ fail "tls.enabled: no listener of the kind tls or wss is enabled, so no client could use TLS: enable one, for example listeners.mqtts.enabled=true" }}{{ end }}
{{- if and .Values.tls.certManager.enabled (or (not .Values.tls.certManager.issuerRef.name) (not .Values.tls.certManager.dnsNames)) }}{{ fail "tls.certManager: set issuerRef.name and dnsNames" }}{{ end }}
{{- if and (ne .Values.tls.clientCertificates.mode "off") (not .Values.tls.clientCertificates.trustSecret) }}{{ fail (printf "tls.clientCertificates.mode is %s: set tls.clientCertificates.trustSecret to a secret with ca.crt" .Values.tls.clientCertificates.mode) }}{{ end }}
{{- end }}
{{- if not (include "heddle.kafka.bootstrapServers" .) }}{{ fail "kafka.bootstrapServers is empty: set it to host:port, or set kafka.strimzi.enabled=true" }}{{ end }}
{{- if not (include "heddle.redis.url" .) }}{{ fail "redis.url is empty: set it to redis://host:port, or set redis.operator.enabled=true" }}{{ end }}
{{- if not (include "heddle.postgres.url" .) }}{{ fail "postgres.url is empty: set it to jdbc:postgresql://host:port/database, or set postgres.cloudnativepg.enabled=true" }}{{ end }}
{{- $host := "(\\[[0-9A-Fa-f:.]+\\]|[^:,/\\s\\[\\]]+):[0-9]+" }}
{{- if and .Values.kafka.bootstrapServers (not (regexMatch (printf "^%s(,%s)*$" $host $host) .Values.kafka.bootstrapServers)) }}{{ fail (printf "kafka.bootstrapServers: \"%s\" is no list of hosts with ports: write host:port, several separated by commas without spaces, such as kafka-1:9092,kafka-2:9092" .Values.kafka.bootstrapServers) }}{{ end }}
{{- /* The messages do not show these addresses, which may have passwords. */}}
{{- if and .Values.redis.url (not (regexMatch "^rediss?://\\S+$" .Values.redis.url)) }}{{ fail "redis.url: it has a space, or does not begin with redis:// or rediss://, which says whether to use TLS: write redis://host:port, or rediss://host:port with TLS" }}{{ end }}
{{- if and .Values.postgres.url (not (regexMatch "^jdbc:postgresql://\\S+$" .Values.postgres.url)) }}{{ fail "postgres.url: it has a space, or does not begin with jdbc:postgresql://, which the driver of Java needs: write jdbc:postgresql://host:port/database, and user and password into postgres.existingSecret" }}{{ end }}
{{- if and (hasPrefix "SASL" (include "heddle.kafka.protocol" .)) (not (include "heddle.kafka.secret" .)) }}{{ fail "kafka.existingSecret is empty: SASL needs a secret with the user's name and password" }}{{ end }}
{{- if and .Values.redis.existingSecret (contains "@" .Values.redis.url) }}{{ fail "redis.url has a user or password, and redis.existingSecret is set, too: remove it from the URL" }}{{ end }}
{{- if and .Values.redis.caSecret (not (contains "rediss://" (include "heddle.redis.url" .))) }}{{ fail "redis.caSecret: the address of Redis begins with redis://, so there is no TLS: write rediss:// in redis.url, or remove redis.caSecret; the Redis of redis.operator has no TLS" }}{{ end }}
{{- if and (ge (int .Values.drain.delaySeconds) (int .Values.drain.limitSeconds)) }}{{ fail "drain.limitSeconds: must be greater than drain.delaySeconds, which is a part of it" }}{{ end }}
{{- if and .Values.kafka.strimzi.enabled (gt (int .Values.kafka.replicationFactor) (int .Values.kafka.strimzi.brokers)) }}{{ fail "kafka.replicationFactor: greater than kafka.strimzi.brokers" }}{{ end }}
{{- if and .Values.autoscaling.enabled (gt (int .Values.autoscaling.minReplicas) (int .Values.autoscaling.maxReplicas)) }}{{ fail "autoscaling.minReplicas: greater than autoscaling.maxReplicas" }}{{ end }}
{{- $cpu := or (get (default dict .Values.resources.requests) "cpu") (get (default dict .Values.resources.limits) "cpu") }}
{{- if and .Values.autoscaling.enabled (not $cpu) }}{{ fail "autoscaling: the brokers have neither resources.requests.cpu nor resources.limits.cpu, of which autoscaling.cpuPercentage is a share: set one of them" }}{{ end }}
{{- if and .Values.monitoring.serviceMonitor.enabled (not .Values.administrator.setup) (not .Values.administrator.existingSecret) }}{{ fail "monitoring.serviceMonitor: Prometheus needs a sign-in, but administrator.setup is false, so there is no secret with one: set administrator.existingSecret to a secret with metrics-username and metrics-password, or administrator.setup=true" }}{{ end }}
{{- range $operator, $values := dict "kafka.strimzi" (list .Values.kafka.strimzi.enabled "kafka.bootstrapServers" .Values.kafka.bootstrapServers) "redis.operator" (list .Values.redis.operator.enabled "redis.url" .Values.redis.url) "postgres.cloudnativepg" (list .Values.postgres.cloudnativepg.enabled "postgres.url" .Values.postgres.url) }}
{{- if and (index $values 0) (index $values 2) }}{{ fail (printf "%s: %s.enabled is true, too: use one of them" (index $values 1) $operator) }}{{ end }}
{{- end }}
{{- include "heddle.quantity" (dict "name" "temporaryVolume" "value" .Values.temporaryVolume) }}
{{- range $parent, $values := dict "" .Values "kafka.strimzi." .Values.kafka.strimzi "redis.operator." .Values.redis.operator "postgres.cloudnativepg." .Values.postgres.cloudnativepg }}
{{- with $values.storage }}{{ include "heddle.quantity" (dict "name" (printf "%sstorage" $parent) "value" .) }}{{ end }}
{{- range $kind, $amounts := $values.resources }}
{{- range $resource, $amount := $amounts }}
{{- include "heddle.quantity" (dict "name" (printf "%sresources.%s.%s" $parent $kind $resource) "value" $amount) }}
{{- end }}
{{- end }}
{{- end }}
{{- $limit := include "heddle.bytes" .Values.resources.limits.memory | int64 }}
{{- if gt (add (div (mul $limit .Values.jvm.heapPercentage 3) 200) 268435456) $limit }}{{ fail (printf "jvm.heapPercentage: %v %% of resources.limits.memory, %v, for the heap, half as much for direct memory and 256Mi for Java are more than the limit: raise the limit or lower the percentage" .Values.jvm.heapPercentage .Values.resources.limits.memory) }}{{ end }}
{{- if eq (toString (get .Values.settings "heddle.cluster.serving-nodes")) "one" }}{{ fail "settings: heddle.cluster.serving-nodes is one: remove it, because standbys are never ready, so Kubernetes would never replace the next pod" }}{{ end }}
{{- $own := dict "HEDDLE_STANDALONE" "nothing, the stores are always elsewhere" "HEDDLE_NODE_ID" "nothing, the name of the pod is the node id" "HEDDLE_REDIS_URL" "redis.url" "HEDDLE_POSTGRES_URL" "postgres.url" "HEDDLE_POSTGRES_USER" "postgres.existingSecret" "HEDDLE_POSTGRES_PASSWORD" "postgres.existingSecret" "HEDDLE_JAVA_OPTS" "jvm.options" }}
{{- if hasPrefix "SASL" (include "heddle.kafka.protocol" .) }}{{ $own = merge $own (dict "HEDDLE_KAFKA_PROPERTIES_SASL_MECHANISM" "kafka.saslMechanism" "HEDDLE_KAFKA_PROPERTIES_SASL_JAAS_CONFIG" "kafka.existingSecret") }}{{ end }}
{{- range $setting, $_ := .Values.settings }}
{{- with get $own (include "heddle.variable" $setting) }}{{ fail (printf "settings: %s is set by the chart: remove it, and use %s" $setting .) }}{{ end }}
{{- end }}
{{- range $property, $_ := .Values.kafka.properties }}
{{- with get $own (include "heddle.variable" (printf "heddle.kafka.properties.%s" $property)) }}{{ fail (printf "kafka.properties: %s is set by the chart: remove it, and use %s" $property .) }}{{ end }}
{{- end }}
{{- range .Values.extraEnv }}
{{- if or (hasKey $own .name) (has .name (list "POD_NAME" "REDIS_PASSWORD" "KAFKA_USER" "KAFKA_PASSWORD")) }}{{ fail (printf "extraEnv: %s is set by the chart: remove it" .name) }}{{ end }}
{{- end }}
{{- end }}
