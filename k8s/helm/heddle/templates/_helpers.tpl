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
{{- div (include "heddle.thousandths" . | int64) 1000 }}
{{- end }}

{{/* Thousandths of a quantity: whole numbers for processors such as 500m, too. */}}
{{- define "heddle.thousandths" -}}
{{- $text := include "heddle.text" . }}
{{- $unit := regexFind "[a-zA-Z]+$" $text }}
{{- $factor := get (dict "" 1.0 "m" 0.001 "k" 1e3 "M" 1e6 "G" 1e9 "T" 1e12 "Ki" 1024.0 "Mi" 1048576.0 "Gi" 1073741824.0 "Ti" 1099511627776.0) $unit }}
{{- round (mulf (float64 (trimSuffix $unit $text)) $factor 1000.0) 0 | int64 }}
{{- end }}

{{/* Mebibytes of the heap. Beside it, direct memory may take half as much, and 480Mi are for Java itself: code, classes, the start cache, threads,
collections, and what Netty's pools round up. From 32 GiB on, references take eight bytes instead of four, so a heap that is hardly larger
holds less than one of 31 GiB. */}}
{{- define "heddle.heap" -}}
{{- $limit := div (include "heddle.bytes" .Values.resources.limits.memory | int64) 1048576 }}
{{- $heap := min (div (mul $limit .Values.jvm.heapPercentage) 100) (div (mul (sub $limit 480) 2) 3) }}
{{- if and (gt $heap 31744) (le $heap 49152) }}31744{{ else }}{{ $heap }}{{ end }}
{{- end }}

{{/* Fails if a value is no quantity, or if it is 0 and "positive" is set. Arguments: value, its name, and positive. */}}
{{- define "heddle.quantity" -}}
{{- if not (regexMatch "^[0-9]+(\\.[0-9]+)?([eE][0-9]+|m|k|Ki|M|Mi|G|Gi|T|Ti)?$" (include "heddle.text" .value)) }}{{ fail (printf "%s: \"%s\" is no quantity of Kubernetes: write processors as 2 or 500m, and bytes with Mi, Gi or Ti (powers of 1024) or M, G or T (powers of 1000), such as 2Gi" .name (include "heddle.text" .value)) }}{{ end }}
{{- if and .positive (regexMatch "^[0.]+[a-zA-Z]*$" (include "heddle.text" .value)) }}{{ fail (printf "%s: %v is too small: write bytes with Mi, Gi or Ti, such as 1Gi" .name .value) }}{{ end }}
{{- end }}

{{/* Fails if a text is no address or network. Arguments: value, and the name of the list that has it. */}}
{{- define "heddle.network" -}}
{{- if not (regexMatch "^([0-9]{1,3}(\\.[0-9]{1,3}){3}(/([0-9]|[12][0-9]|3[0-2]))?|[0-9A-Fa-f:]*:[0-9A-Fa-f:.]*(/([0-9]{1,2}|1[01][0-9]|12[0-8]))?)$" .value) }}{{ fail (printf "%s: \"%s\" is no address or network: write it as 10.0.0.0/8 or fd00::/8" .name .value) }}{{ end }}
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

{{/* A setting or variable as it is compared: of all spellings that Java accepts for it. */}}
{{- define "heddle.key" -}}
{{- regexReplaceAll "[^A-Z0-9]" (upper .) "" }}
{{- end }}

{{/* What to do instead of setting what the chart sets; empty for other settings. Arguments: managed, and the key of the setting. */}}
{{- define "heddle.remedy" -}}
{{- if hasPrefix "HEDDLEMQTTLISTENERS" .key }}set listeners instead
{{- else }}{{ with get .managed .key }}{{ . }}{{ end }}
{{- end }}
{{- end }}

{{/* The settings that only values of the chart may set, as JSON: the key of each, and the remedy. heddle.cluster.address is no such setting: it
is only shown, and may be another one. */}}
{{- define "heddle.managed" -}}
{{- $values := dict
  "heddle.mqtt.port" "listeners"
  "heddle.mqtt.tls-port" "listeners"
  "heddle.mqtt.ws-port" "listeners"
  "heddle.mqtt.wss-port" "listeners"
  "heddle.mqtt.port-offset" "the ports of listeners"
  "heddle.mqtt.tls.certificate" "tls.existingSecret or tls.certManager"
  "heddle.mqtt.tls.key" "tls.existingSecret or tls.certManager"
  "heddle.mqtt.tls.client-certificates" "tls.clientCertificates.mode"
  "heddle.mqtt.tls.trust-store" "tls.clientCertificates.trustSecret"
  "heddle.http.port" "http.port"
  "heddle.http.tls.certificate" "http.tls.existingSecret"
  "heddle.http.tls.key" "http.tls.existingSecret"
  "heddle.http.probe-port" "probes.port"
  "heddle.cluster.port" "cluster.port"
  "heddle.buckets.count" "buckets.count"
  "heddle.drain.delay" "drain.delaySeconds"
  "heddle.drain.limit" "drain.limitSeconds"
  "heddle.drain.rate" "drain.ratePerSecond"
  "heddle.drain.server-reference" "drain.serverReference"
  "heddle.authentication.anonymous.enabled" "anonymous.enabled"
  "heddle.kafka.bootstrap-servers" "kafka.bootstrapServers"
  "heddle.kafka.replication-factor" "kafka.replicationFactor"
  "heddle.redis.url" "redis.url"
  "heddle.postgres.url" "postgres.url"
  "heddle.postgres.user" "postgres.existingSecret"
  "heddle.postgres.password" "postgres.existingSecret"
  "heddle.java-opts" "jvm.options" }}
{{- if .Values.redis.caSecret }}{{ $_ := set $values "heddle.redis.trust-store" "redis.caSecret" }}{{ end }}
{{- if ne (include "heddle.kafka.protocol" .) "PLAINTEXT" }}{{ $_ := set $values "heddle.kafka.properties.security.protocol" "kafka.securityProtocol" }}{{ end }}
{{- if include "heddle.kafka.caSecret" . }}
{{- $_ := set $values "heddle.kafka.properties.ssl.truststore.type" "kafka.caSecret" }}
{{- $_ := set $values "heddle.kafka.properties.ssl.truststore.location" "kafka.caSecret" }}
{{- end }}
{{- if hasPrefix "SASL" (include "heddle.kafka.protocol" .) }}
{{- $_ := set $values "heddle.kafka.properties.sasl.mechanism" "kafka.saslMechanism" }}
{{- $_ := set $values "heddle.kafka.properties.sasl.jaas.config" "kafka.existingSecret" }}
{{- end }}
{{- $managed := dict }}
{{- range $setting, $value := $values }}{{ $_ := set $managed (include "heddle.key" $setting) (printf "set %s instead" $value) }}{{ end }}
{{- range $setting, $reason := dict
  "heddle.standalone" "the stores are always elsewhere"
  "heddle.node.id" "the name of the pod is the node id"
  "heddle.mqtt.bind" "brokers in pods listen on all addresses"
  "heddle.http.bind" "brokers in pods listen on all addresses"
  "heddle.cluster.bind" "brokers find each other at the addresses of their pods"
  "heddle.cluster.advertise" "brokers find each other at the addresses of their pods" }}
{{- $_ := set $managed (include "heddle.key" $setting) (printf "remove it, because %s" $reason) }}
{{- end }}
{{- toJson $managed }}
{{- end }}

{{/* The scheme of the HTTP port, and the name and address of its Service. */}}
{{- define "heddle.http.scheme" -}}
{{- if .Values.http.tls.existingSecret }}https{{ else }}http{{ end }}
{{- end }}
{{- define "heddle.http.name" -}}
{{ include "heddle.fullname" . }}-http.{{ .Release.Namespace }}.svc
{{- end }}
{{- define "heddle.http.url" -}}
{{ include "heddle.http.scheme" . }}://{{ include "heddle.http.name" . }}:{{ .Values.http.port }}
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

{{/* Egress rules of a network policy: the name service, stores, each at its ports, and at the pods of its operator or where storesTo says, and
extraEgress. Arguments: root, and stores: some of kafka, redis, postgres. */}}
{{- define "heddle.egress" -}}
{{- $values := .root.Values }}
{{- $policy := $values.networkPolicy -}}
# The name service.
- ports:
    - port: 53
      protocol: UDP
    - port: 53
  {{- with $policy.dnsTo }}
  to:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- $kafka := dict "url" (include "heddle.kafka.bootstrapServers" .root) "port" 9092 "operator" $values.kafka.strimzi.enabled
  "label" "strimzi.io/cluster" "pods" (list (include "heddle.kafka.name" .root)) }}
{{- $redis := dict "url" (include "heddle.redis.url" .root) "port" 6379 "operator" $values.redis.operator.enabled
  "label" "app" "pods" (list (printf "%s-leader" (include "heddle.redis.name" .root)) (printf "%s-follower" (include "heddle.redis.name" .root))) }}
{{- $postgres := dict "url" (include "heddle.postgres.url" .root) "port" 5432 "operator" $values.postgres.cloudnativepg.enabled
  "label" "cnpg.io/cluster" "pods" (list (include "heddle.postgres.name" .root)) }}
{{- $stores := dict "kafka" $kafka "redis" $redis "postgres" $postgres }}
{{- range $name := .stores }}
{{- $store := get $stores $name }}
# {{ get (dict "kafka" "Kafka" "redis" "Redis" "postgres" "PostgreSQL") $name }}.
- ports:
    {{- range include "heddle.ports" $store | fromJsonArray }}
    - port: {{ . }}
    {{- end }}
  {{- if $store.operator }}
  to:
    - podSelector:
        matchExpressions:
          - key: {{ $store.label }}
            operator: In
            values: {{ toJson $store.pods }}
  {{- else if $policy.storesTo }}
  to:
    {{- toYaml $policy.storesTo | nindent 4 }}
  {{- end }}
{{- end }}
{{- if $policy.extraStorePorts }}
- ports:
    {{- range $policy.extraStorePorts }}
    - port: {{ . }}
    {{- end }}
  {{- with $policy.storesTo }}
  to:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
{{- with $policy.extraEgress }}
{{ toYaml . }}
{{- end }}
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
{{- range $port := list "http" "cluster" "probes" }}
{{- if lt (int (get $.Values $port).port) 1024 }}{{ fail (printf "%s.port: %v is below 1024, and the brokers have no capability to open such a port: choose one from 1024 on" $port (get $.Values $port).port) }}{{ end }}
{{- end }}
{{- $servicePorts := dict }}
{{- if hasKey $ports (toString .Values.cluster.port) }}{{ fail (printf "cluster.port: %v is http.port, too: choose another port" .Values.cluster.port) }}{{ end }}
{{- $_ := set $ports (toString .Values.cluster.port) "cluster.port" }}
{{- with get $ports (toString .Values.probes.port) }}{{ fail (printf "probes.port: %v is %s, too: choose another port" $.Values.probes.port .) }}{{ end }}
{{- $_ := set $ports (toString .Values.probes.port) "probes.port" }}
{{- range $values := list "commonLabels" "podLabels" }}
{{- range $label, $_ := get $.Values $values }}
{{- if regexMatch "^(app\\.kubernetes\\.io/(name|instance|component|version|managed-by)|helm\\.sh/chart)$" $label }}{{ fail (printf "%s: %s is set by the chart: remove it" $values $label) }}{{ end }}
{{- end }}
{{- end }}
{{- $secure := false }}
{{- range .Values.service.loadBalancerSourceRanges }}{{ include "heddle.network" (dict "name" "service.loadBalancerSourceRanges" "value" .) }}{{ end }}
{{- range $listeners }}
{{- $name := .name }}
{{- if not (regexMatch "[a-z]" .name) }}{{ fail (printf "listeners.%s: a port has no such name: use at least one letter" .name) }}{{ end }}
{{- if has .name (list "http" "cluster" "probes") }}{{ fail (printf "listeners.%s: the pods have another port with this name: choose another name" .name) }}{{ end }}
{{- if hasKey $ports (toString .port) }}{{ fail (printf "listeners.%s.port: %v is %s, too: choose another port" .name .port (get $ports (toString .port))) }}{{ end }}
{{- $_ := set $ports (toString .port) (printf "listeners.%s.port" .name) }}
{{- if lt (int .port) 1024 }}{{ fail (printf "listeners.%s.port: %v is below 1024, and the brokers have no capability to open such a port: choose one from 1024 on, and set listeners.%s.servicePort=%v for clients" .name .port .name .port) }}{{ end }}
{{- $servicePort := toString (default .port .servicePort) }}
{{- if hasKey $servicePorts $servicePort }}{{ fail (printf "listeners.%s: the Service already has the port %s for listeners.%s: set another listeners.%s.servicePort" .name $servicePort (get $servicePorts $servicePort) .name) }}{{ end }}
{{- $_ := set $servicePorts $servicePort .name }}
{{- if has .kind (list "tls" "wss") }}{{ $secure = true }}{{ end }}
{{- if and (has .kind (list "tls" "wss")) (not $.Values.tls.enabled) }}{{ fail (printf "listeners.%s: its kind is %s, but there is no certificate: set tls.enabled=true with tls.existingSecret or tls.certManager" .name .kind) }}{{ end }}
{{- range $proxy := .trustedProxies }}{{ include "heddle.network" (dict "name" (printf "listeners.%s.trustedProxies" $name) "value" $proxy) }}{{ end }}
{{- if and .proxyProtocol (not .trustedProxies) }}{{ fail (printf "listeners.%s.proxyProtocol: trustedProxies is empty, so all connections would be refused: list the networks of the load balancer" .name) }}{{ end }}
{{- end }}
{{- if .Values.tls.enabled }}
{{- if and .Values.tls.existingSecret .Values.tls.certManager.enabled }}{{ fail "tls.existingSecret: tls.certManager.enabled is true, too: use one of them" }}{{ end }}
{{- if not (or .Values.tls.existingSecret .Values.tls.certManager.enabled) }}{{ fail "tls.enabled: there is no certificate: set tls.existingSecret, or tls.certManager.enabled=true" }}{{ end }}
{{- if not $secure }}{{ fail "tls.enabled: no listener of the kind tls or wss is enabled, so no client could use TLS: enable one, for example listeners.mqtts.enabled=true" }}{{ end }}
{{- if and .Values.tls.certManager.enabled (or (not .Values.tls.certManager.issuerRef.name) (not .Values.tls.certManager.dnsNames)) }}{{ fail "tls.certManager: set issuerRef.name and dnsNames" }}{{ end }}
{{- range .Values.tls.certManager.dnsNames }}
{{- if not (regexMatch "^(\\*\\.)?([A-Za-z0-9]([-A-Za-z0-9]*[A-Za-z0-9])?\\.)*[A-Za-z0-9]([-A-Za-z0-9]*[A-Za-z0-9])?$" .) }}{{ fail (printf "tls.certManager.dnsNames: \"%s\" is no name of a host: write it without scheme and port, such as mqtt.example.org" .) }}{{ end }}
{{- end }}
{{- range $value := list "duration" "renewBefore" }}
{{- if not (regexMatch "^([0-9]+(\\.[0-9]+)?(h|m|s))+$" (get $.Values.tls.certManager $value)) }}{{ fail (printf "tls.certManager.%s: \"%s\" is no duration: write hours, such as 720h" $value (get $.Values.tls.certManager $value)) }}{{ end }}
{{- end }}
{{- if and (ne .Values.tls.clientCertificates.mode "off") (not .Values.tls.clientCertificates.trustSecret) }}{{ fail (printf "tls.clientCertificates.mode is %s: set tls.clientCertificates.trustSecret to a secret with ca.crt" .Values.tls.clientCertificates.mode) }}{{ end }}
{{- end }}
{{- if not .Values.tls.enabled }}
{{- if .Values.tls.existingSecret }}{{ fail "tls.existingSecret: tls.enabled is false, so nothing would use the certificate: set tls.enabled=true and enable a listener of the kind tls or wss, or remove tls.existingSecret" }}{{ end }}
{{- if .Values.tls.certManager.enabled }}{{ fail "tls.certManager.enabled: tls.enabled is false, so nothing would use the certificate: set tls.enabled=true and enable a listener of the kind tls or wss, or set tls.certManager.enabled=false" }}{{ end }}
{{- if or (ne .Values.tls.clientCertificates.mode "off") .Values.tls.clientCertificates.trustSecret }}{{ fail "tls.clientCertificates: tls.enabled is false, so no client could present a certificate: set tls.enabled=true, or remove mode and trustSecret" }}{{ end }}
{{- end }}
{{- if and .Values.anonymous.enabled .Values.credentials.existingSecret }}{{ fail "credentials.existingSecret: anonymous.enabled is true, so nothing would read it: remove one of them" }}{{ end }}
{{- if and .Values.podDisruptionBudget.enabled (regexMatch "^0+%?$" (include "heddle.text" .Values.podDisruptionBudget.maxUnavailable)) }}{{ fail (printf "podDisruptionBudget.maxUnavailable: with %s, no machine with a broker could be drained: set it to 1" (include "heddle.text" .Values.podDisruptionBudget.maxUnavailable)) }}{{ end }}
{{- if not (include "heddle.kafka.bootstrapServers" .) }}{{ fail "kafka.bootstrapServers is empty: set it to host:port, or set kafka.strimzi.enabled=true" }}{{ end }}
{{- if not (include "heddle.redis.url" .) }}{{ fail "redis.url is empty: set it to redis://host:port, or set redis.operator.enabled=true" }}{{ end }}
{{- if not (include "heddle.postgres.url" .) }}{{ fail "postgres.url is empty: set it to jdbc:postgresql://host:port/database, or set postgres.cloudnativepg.enabled=true" }}{{ end }}
{{- if not (regexMatch "^([A-Za-z0-9.-]+(:[0-9]+)?/)?[a-z0-9]+([._/-]+[a-z0-9]+)*(@sha256)?$" .Values.image.repository) }}{{ fail (printf "image.repository: \"%s\" is no name of a repository: write it without https:// and without a tag, such as registry.example.org/heddle, and the tag into image.tag" .Values.image.repository) }}{{ end }}
{{- if not (regexMatch "^([A-Za-z0-9_][A-Za-z0-9_.-]{0,127})?$" .Values.image.tag) }}{{ fail (printf "image.tag: \"%s\" is no tag: write letters, digits, dots, dashes and underscores, such as 0.1.0" .Values.image.tag) }}{{ end }}
{{- $host := "(\\[[0-9A-Fa-f:.]+\\]|[^:,/\\s\\[\\]]+):[0-9]+" }}
{{- if and .Values.kafka.bootstrapServers (not (regexMatch (printf "^%s(,%s)*$" $host $host) .Values.kafka.bootstrapServers)) }}{{ fail (printf "kafka.bootstrapServers: \"%s\" is no list of hosts with ports: write host:port, several separated by commas without spaces, such as kafka-1:9092,kafka-2:9092" .Values.kafka.bootstrapServers) }}{{ end }}
{{- /* The messages do not show these addresses, which may have passwords. */}}
{{- $server := "([^@:/?#,\\s]*:?[^@/?#,\\s]*@)?(\\[[0-9A-Fa-f:.]+\\]|[^@:/?#,\\s\\[\\]]+)(:[0-9]+)?(/[0-9]*)?(\\?[^,\\s]*)?" }}
{{- if and .Values.redis.url (not (regexMatch (printf "^rediss?://%s(, *(rediss?://)?%s)*$" $server $server) .Values.redis.url)) }}{{ fail "redis.url: it has a space or no host, or does not begin with redis:// or rediss://, which says whether to use TLS: write redis://host:port, or rediss://host:port with TLS" }}{{ end }}
{{- if and .Values.postgres.url (not (regexMatch "^jdbc:postgresql://[^/?\\s]+/[^/?\\s]+(\\?\\S*)?$" .Values.postgres.url)) }}{{ fail "postgres.url: it has a space, no host or no database, or does not begin with jdbc:postgresql://, which the driver of Java needs: write jdbc:postgresql://host:port/database, and user and password into postgres.existingSecret" }}{{ end }}
{{- range $name, $url := dict "kafka.bootstrapServers" .Values.kafka.bootstrapServers "redis.url" .Values.redis.url "postgres.url" .Values.postgres.url }}
{{- if $url }}
{{- range include "heddle.ports" (dict "url" $url "port" 1) | fromJsonArray }}
{{- if or (lt (int .) 1) (gt (int .) 65535) }}{{ fail (printf "%s: %v is no port: write one from 1 to 65535" $name .) }}{{ end }}
{{- end }}
{{- end }}
{{- end }}
{{- if not (or .Values.kafka.strimzi.enabled (hasPrefix "SASL" .Values.kafka.securityProtocol)) }}
{{- if .Values.kafka.existingSecret }}{{ fail (printf "kafka.existingSecret: kafka.securityProtocol is %s, which does not sign in: set it to SASL_SSL or SASL_PLAINTEXT, or remove kafka.existingSecret" .Values.kafka.securityProtocol) }}{{ end }}
{{- end }}
{{- if and .Values.kafka.caSecret (not (contains "SSL" (include "heddle.kafka.protocol" .))) }}{{ fail (printf "kafka.caSecret: kafka.securityProtocol is %s, which has no TLS: set it to SSL or SASL_SSL, or remove kafka.caSecret" .Values.kafka.securityProtocol) }}{{ end }}
{{- if and .Values.redis.username (not (include "heddle.redis.secret" .)) }}{{ fail "redis.username: there is no password: set redis.existingSecret to a secret with it" }}{{ end }}
{{- if and .Values.postgres.caSecret (not (contains (printf "/etc/heddle/postgres-ca/%s" .Values.postgres.caKey) (include "heddle.postgres.url" .))) }}{{ fail (printf "postgres.caSecret: postgres.url does not use it: add sslmode=verify-full&sslrootcert=/etc/heddle/postgres-ca/%s to its options, or remove postgres.caSecret" .Values.postgres.caKey) }}{{ end }}
{{- range $operator, $values := dict "kafka.strimzi" (list .Values.kafka.strimzi.enabled "kafka" .Values.kafka) "postgres.cloudnativepg" (list .Values.postgres.cloudnativepg.enabled "postgres" .Values.postgres) }}
{{- range $secret := list "existingSecret" "caSecret" }}
{{- if and (index $values 0) (get (index $values 2) $secret) }}{{ fail (printf "%s.%s: %s.enabled is true, too, whose operator creates the secret: remove one of them" (index $values 1) $secret $operator) }}{{ end }}
{{- end }}
{{- end }}
{{- if regexMatch "-Xm[sx]|-XX:(Max|Initial|Min)(HeapSize|RAMPercentage)" .Values.jvm.options }}{{ fail "jvm.options: it sets the size of the heap, which is jvm.heapPercentage of resources.limits.memory: remove that option, and set jvm.heapPercentage" }}{{ end }}
{{- if and (hasPrefix "SASL" (include "heddle.kafka.protocol" .)) (not (include "heddle.kafka.secret" .)) }}{{ fail "kafka.existingSecret is empty: SASL needs a secret with the user's name and password" }}{{ end }}
{{- if and .Values.redis.existingSecret (contains "@" .Values.redis.url) }}{{ fail "redis.url has a user or password, and redis.existingSecret is set, too: remove it from the URL" }}{{ end }}
{{- if and .Values.redis.caSecret (not (contains "rediss://" (include "heddle.redis.url" .))) }}{{ fail "redis.caSecret: the address of Redis begins with redis://, so there is no TLS: write rediss:// in redis.url, or remove redis.caSecret; the Redis of redis.operator has no TLS" }}{{ end }}
{{- if and (ge (int .Values.drain.delaySeconds) (int .Values.drain.limitSeconds)) }}{{ fail "drain.limitSeconds: must be greater than drain.delaySeconds, which is a part of it" }}{{ end }}
{{- if and .Values.kafka.strimzi.enabled (gt (int .Values.kafka.replicationFactor) (int .Values.kafka.strimzi.brokers)) }}{{ fail "kafka.replicationFactor: greater than kafka.strimzi.brokers" }}{{ end }}
{{- if and .Values.autoscaling.enabled (gt (int .Values.autoscaling.minReplicas) (int .Values.autoscaling.maxReplicas)) }}{{ fail "autoscaling.minReplicas: greater than autoscaling.maxReplicas" }}{{ end }}
{{- $cpu := or (get (default dict .Values.resources.requests) "cpu") (get (default dict .Values.resources.limits) "cpu") }}
{{- if and .Values.autoscaling.enabled (not $cpu) }}{{ fail "autoscaling: the brokers have neither resources.requests.cpu nor resources.limits.cpu, of which autoscaling.cpuPercentage is a share: set one of them" }}{{ end }}
{{- if and .Values.monitoring.serviceMonitor.enabled (not .Values.administrator.setup) (not .Values.administrator.existingSecret) }}{{ fail "monitoring.serviceMonitor: Prometheus needs a sign-in, but administrator.setup is false, so there is no secret with one: set administrator.existingSecret to a secret with metrics-username and metrics-password, or administrator.setup=true" }}{{ end }}
{{- if and .Values.ingress.enabled (not .Values.ingress.host) }}{{ fail "ingress.host is empty: set it to the name that clients use, such as heddle.example.org" }}{{ end }}
{{- if and .Values.ingress.enabled .Values.networkPolicy.enabled (not .Values.networkPolicy.httpFrom) }}{{ fail "ingress: networkPolicy.httpFrom is empty, so the Ingress controller could not connect: add its namespace, for example {namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: ingress-nginx}}}, or set networkPolicy.enabled=false" }}{{ end }}
{{- with .Values.ingress.webSocket }}
{{- $found := false }}
{{- range $listener := $listeners }}{{ if and (eq $listener.name $.Values.ingress.webSocket) (has $listener.kind (list "ws" "wss")) }}{{ $found = true }}{{ end }}{{ end }}
{{- if not $found }}{{ fail (printf "ingress.webSocket: %s is no enabled listener of the kind ws or wss: name one, such as ws" .) }}{{ end }}
{{- end }}
{{- if and .Values.backup.upload.image (not .Values.backup.upload.command) }}{{ fail "backup.upload.command is empty: set it to the command that copies the folder /backups, such as [aws, s3, sync, /backups, s3://bucket/heddle]" }}{{ end }}
{{- if and .Values.backup.upload.image .Values.networkPolicy.enabled (not .Values.backup.upload.egress) }}{{ fail "backup.upload.egress is empty, so the upload could not connect: list what it needs, for example {ports: [{port: 443}]}, or set networkPolicy.enabled=false" }}{{ end }}
{{- if and (or .Values.backup.upload.command .Values.backup.upload.env .Values.backup.upload.egress) (not .Values.backup.upload.image) }}{{ fail "backup.upload.image is empty, so nothing would be copied: set it, or remove the other values of backup.upload" }}{{ end }}
{{- if and .Values.restore.file (or .Values.autoscaling.enabled (gt (int .Values.replicaCount) 0)) }}{{ fail "restore.file: no broker may run during a restore: set replicaCount=0 and autoscaling.enabled=false, or remove restore.file" }}{{ end }}
{{- if and (or .Values.backup.enabled .Values.restore.file) (not .Values.backup.claim) }}{{ fail "backup.claim is empty: set it to the PersistentVolumeClaim for the files of the backups" }}{{ end }}
{{- if and .Values.monitoring.serviceMonitor.enabled .Values.networkPolicy.enabled (not .Values.networkPolicy.httpFrom) }}{{ fail "monitoring.serviceMonitor: networkPolicy.httpFrom is empty, so Prometheus could not connect: add its namespace, for example {namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: monitoring}}}, or set networkPolicy.enabled=false" }}{{ end }}
{{- range $operator, $values := dict "kafka.strimzi" (list .Values.kafka.strimzi.enabled "kafka.bootstrapServers" .Values.kafka.bootstrapServers) "redis.operator" (list .Values.redis.operator.enabled "redis.url" .Values.redis.url) "postgres.cloudnativepg" (list .Values.postgres.cloudnativepg.enabled "postgres.url" .Values.postgres.url) }}
{{- if and (index $values 0) (index $values 2) }}{{ fail (printf "%s: %s.enabled is true, too: use one of them" (index $values 1) $operator) }}{{ end }}
{{- end }}
{{- include "heddle.quantity" (dict "name" "temporaryVolume" "value" .Values.temporaryVolume "positive" true) }}
{{- range $parent, $values := dict "" .Values "kafka.strimzi." .Values.kafka.strimzi "redis.operator." .Values.redis.operator "postgres.cloudnativepg." .Values.postgres.cloudnativepg "backup." .Values.backup "backup.upload." .Values.backup.upload }}
{{- if hasKey $values "storage" }}{{ include "heddle.quantity" (dict "name" (printf "%sstorage" $parent) "value" $values.storage "positive" true) }}{{ end }}
{{- range $kind, $amounts := $values.resources }}
{{- range $resource, $amount := $amounts }}
{{- include "heddle.quantity" (dict "name" (printf "%sresources.%s.%s" $parent $kind $resource) "value" $amount) }}
{{- if and (eq $resource "memory") (lt (include "heddle.bytes" $amount | int64) 1048576) }}{{ fail (printf "%sresources.%s.memory: %s is a number of bytes: write a unit, such as 2Gi" $parent $kind (include "heddle.text" $amount)) }}{{ end }}
{{- end }}
{{- end }}
{{- if hasKey $values "resources" }}
{{- $limits := default dict $values.resources.limits }}
{{- range $resource, $amount := $values.resources.requests }}
{{- with get $limits $resource }}
{{- if gt (include "heddle.thousandths" $amount | int64) (include "heddle.thousandths" . | int64) }}{{ fail (printf "%sresources.requests.%s: %s is more than the limit, %s: set it to %s or less, or raise resources.limits.%s" $parent $resource (include "heddle.text" $amount) (include "heddle.text" .) (include "heddle.text" .) $resource) }}{{ end }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- $heap := include "heddle.heap" . | int }}
{{- if lt $heap 256 }}{{ fail (printf "resources.limits.memory: %v with jvm.heapPercentage=%v leaves %v MiB for the heap, and a broker needs 256: set the limit to 864Mi or more, and the percentage so that the heap is 256 MiB at least" (include "heddle.text" .Values.resources.limits.memory) .Values.jvm.heapPercentage (max $heap 0)) }}{{ end }}
{{- with lookup "apps/v1" "StatefulSet" .Release.Namespace $name }}
{{- range (first .spec.template.spec.containers).env }}
{{- if and (eq .name "HEDDLE_BUCKETS_COUNT") (ne (int .value) (int $.Values.buckets.count)) }}{{ fail (printf "buckets.count: %v, but the brokers that are installed have %s, which never changes: set buckets.count=%s" $.Values.buckets.count .value .value) }}{{ end }}
{{- end }}
{{- end }}
{{- $managed := include "heddle.managed" . | fromJson }}
{{- range $setting, $_ := .Values.settings }}
{{- with include "heddle.remedy" (dict "managed" $managed "key" (include "heddle.key" $setting)) }}{{ fail (printf "settings: %s is set by the chart: %s" $setting .) }}{{ end }}
{{- end }}
{{- range $property, $_ := .Values.kafka.properties }}
{{- with include "heddle.remedy" (dict "managed" $managed "key" (include "heddle.key" (printf "heddle.kafka.properties.%s" $property))) }}{{ fail (printf "kafka.properties: %s is set by the chart: %s" $property .) }}{{ end }}
{{- end }}
{{- range $name, $listener := .Values.listeners }}
{{- range $setting, $_ := $listener.settings }}
{{- $key := include "heddle.key" $setting }}
{{- with get (dict "NAME" "the name of the listener" "KIND" "kind" "PORT" "port" "PROXYPROTOCOL" "proxyProtocol" "TRUSTEDPROXIES" "trustedProxies") $key }}{{ fail (printf "listeners.%s.settings: %s is set by the chart: set %s instead" $name $setting (ternary . (printf "listeners.%s.%s" $name .) (contains " " .))) }}{{ end }}
{{- if eq $key "ADDRESS" }}{{ fail (printf "listeners.%s.settings: %s is set by the chart: remove it, because brokers in pods listen on all addresses" $name $setting) }}{{ end }}
{{- end }}
{{- end }}
{{- $names := dict }}
{{- range $variable := .Values.extraEnv }}
{{- if hasKey $names .name }}{{ fail (printf "extraEnv: %s is there twice: remove one of them" .name) }}{{ end }}
{{- $_ := set $names .name true }}
{{- if has .name (list "POD_NAME" "JOB" "REDIS_PASSWORD" "KAFKA_USER" "KAFKA_PASSWORD") }}{{ fail (printf "extraEnv: %s is set by the chart: remove it" .name) }}{{ end }}
{{- with include "heddle.remedy" (dict "managed" $managed "key" (include "heddle.key" (trimSuffix "_FILE" .name))) }}{{ fail (printf "extraEnv: %s is set by the chart: %s" $variable.name .) }}{{ end }}
{{- end }}
{{- $volumes := list "temporary" "data" }}
{{- range .Values.extraVolumes }}
{{- if lt (len .) 2 }}{{ fail (printf "extraVolumes: the volume %s has no source: add one, such as configMap: {name: my-files}" .name) }}{{ end }}
{{- $volumes = append $volumes .name }}
{{- end }}
{{- range .Values.extraVolumeMounts }}
{{- if not (has .name $volumes) }}{{ fail (printf "extraVolumeMounts: there is no volume %s: add it to extraVolumes" .name) }}{{ end }}
{{- end }}
{{- end }}
