{{/* Settings, variables and volumes of a broker, which the commands for backups have, too. */}}

{{/* The settings of a broker besides its secrets, as JSON: their names and values. */}}
{{- define "heddle.settings" -}}
{{- $settings := dict }}
{{- $_ := set $settings "heddle.mqtt.bind" "0.0.0.0" }}
{{- $_ := set $settings "heddle.http.bind" "0.0.0.0" }}
{{- $_ := set $settings "heddle.http.port" .Values.http.port }}
{{- $_ := set $settings "heddle.http.probe-port" .Values.probes.port }}
{{- if .Values.http.tls.existingSecret }}
{{- $_ := set $settings "heddle.http.tls.certificate" "/etc/heddle/http-tls/tls.crt" }}
{{- $_ := set $settings "heddle.http.tls.key" "/etc/heddle/http-tls/tls.key" }}
{{- end }}
{{- $_ := set $settings "heddle.cluster.port" .Values.cluster.port }}
{{- $_ := set $settings "heddle.cluster.address" (printf "%s://$(POD_NAME).%s-headless.%s.svc:%v" (include "heddle.http.scheme" .) (include "heddle.fullname" .) .Release.Namespace .Values.http.port) }}
{{- $_ := set $settings "heddle.buckets.count" .Values.buckets.count }}
{{- $_ := set $settings "heddle.kafka.bootstrap-servers" (include "heddle.kafka.bootstrapServers" .) }}
{{- $_ := set $settings "heddle.kafka.replication-factor" .Values.kafka.replicationFactor }}
{{- $_ := set $settings "heddle.drain.delay" (printf "%vs" .Values.drain.delaySeconds) }}
{{- $_ := set $settings "heddle.drain.limit" (printf "%vs" .Values.drain.limitSeconds) }}
{{- $_ := set $settings "heddle.drain.rate" .Values.drain.ratePerSecond }}
{{- with .Values.drain.serverReference }}{{ $_ := set $settings "heddle.drain.server-reference" . }}{{ end }}
{{- $_ := set $settings "heddle.authentication.anonymous.enabled" .Values.anonymous.enabled }}
{{- range $index, $listener := include "heddle.listeners" . | fromJsonArray }}
{{- $key := printf "heddle.mqtt.listeners[%d]" $index }}
{{- $_ := set $settings (printf "%s.name" $key) $listener.name }}
{{- $_ := set $settings (printf "%s.kind" $key) $listener.kind }}
{{- $_ := set $settings (printf "%s.port" $key) $listener.port }}
{{- if $listener.proxyProtocol }}{{ $_ := set $settings (printf "%s.proxy-protocol" $key) true }}{{ end }}
{{- with $listener.trustedProxies }}{{ $_ := set $settings (printf "%s.trusted-proxies" $key) (join "," .) }}{{ end }}
{{- range $option, $value := $listener.settings }}{{ $_ := set $settings (printf "%s.%s" $key $option) $value }}{{ end }}
{{- end }}
{{- if .Values.tls.enabled }}
{{- $_ := set $settings "heddle.mqtt.tls.certificate" "/etc/heddle/tls/tls.crt" }}
{{- $_ := set $settings "heddle.mqtt.tls.key" "/etc/heddle/tls/tls.key" }}
{{- $_ := set $settings "heddle.mqtt.tls.client-certificates" .Values.tls.clientCertificates.mode }}
{{- if .Values.tls.clientCertificates.trustSecret }}{{ $_ := set $settings "heddle.mqtt.tls.trust-store" "/etc/heddle/clients-ca/ca.crt" }}{{ end }}
{{- end }}
{{- $protocol := include "heddle.kafka.protocol" . }}
{{- if ne $protocol "PLAINTEXT" }}{{ $_ := set $settings "heddle.kafka.properties.security.protocol" $protocol }}{{ end }}
{{- if include "heddle.kafka.caSecret" . }}
{{- $_ := set $settings "heddle.kafka.properties.ssl.truststore.type" "PEM" }}
{{- $_ := set $settings "heddle.kafka.properties.ssl.truststore.location" (printf "/etc/heddle/kafka-ca/%s" .Values.kafka.caKey) }}
{{- end }}
{{- if .Values.redis.caSecret }}{{ $_ := set $settings "heddle.redis.trust-store" (printf "/etc/heddle/redis-ca/%s" .Values.redis.caKey) }}{{ end }}
{{- range $property, $value := .Values.kafka.properties }}{{ $_ := set $settings (printf "heddle.kafka.properties.%s" $property) $value }}{{ end }}
{{- range $setting, $value := .Values.settings }}{{ $_ := set $settings $setting $value }}{{ end }}
{{- toJson $settings }}
{{- end }}

{{/* The volumes with certificates, as a JSON list of their names and secrets. They are mounted at /etc/heddle/NAME. */}}
{{- define "heddle.volumes" -}}
{{- $volumes := list }}
{{- if .Values.tls.enabled }}
{{- $volumes = append $volumes (dict "name" "tls" "secret" (include "heddle.tlsSecret" .)) }}
{{- if .Values.tls.clientCertificates.trustSecret }}{{ $volumes = append $volumes (dict "name" "clients-ca" "secret" .Values.tls.clientCertificates.trustSecret) }}{{ end }}
{{- end }}
{{- with .Values.http.tls.existingSecret }}{{ $volumes = append $volumes (dict "name" "http-tls" "secret" .) }}{{ end }}
{{- with include "heddle.kafka.caSecret" . }}{{ $volumes = append $volumes (dict "name" "kafka-ca" "secret" .) }}{{ end }}
{{- with .Values.redis.caSecret }}{{ $volumes = append $volumes (dict "name" "redis-ca" "secret" .) }}{{ end }}
{{- with .Values.postgres.caSecret }}{{ $volumes = append $volumes (dict "name" "postgres-ca" "secret" .) }}{{ end }}
{{- toJson $volumes }}
{{- end }}

{{/* The variables of a broker. Arguments: root, and heap: whether to set the options of Java. */}}
{{- define "heddle.env" -}}
{{- $root := .root }}
{{- $heap := .heap }}
{{- with $root }}
{{- $settings := include "heddle.settings" . | fromJson }}
{{- $protocol := include "heddle.kafka.protocol" . }}
{{- $variables := dict }}
{{- range $setting, $_ := $settings }}{{ $_ := set $variables (include "heddle.variable" $setting) $setting }}{{ end }}
{{- range .Values.extraEnv }}
{{- with get $variables .name }}{{ fail (printf "extraEnv: the setting %s has a value by the chart or by settings: remove it from extraEnv, and set it below settings" .) }}{{ end }}
{{- end -}}
# Kafka, Redis and PostgreSQL are elsewhere.
- name: HEDDLE_STANDALONE
  value: "off"
- name: POD_NAME
  valueFrom:
    fieldRef:
      fieldPath: metadata.name
- name: HEDDLE_NODE_ID
  value: $(POD_NAME)
{{- if $heap }}
- name: HEDDLE_JAVA_OPTS
  value: {{ printf "-XX:+UseG1GC -XX:-UsePerfData -Xms%[1]sm -Xmx%[1]sm %[2]s" (include "heddle.heap" .) .Values.jvm.options | trim | quote }}
{{- end }}
{{ include "heddle.postgres.env" . }}
{{- with include "heddle.redis.secret" . }}
- name: REDIS_PASSWORD
  valueFrom:
    secretKeyRef:
      name: {{ . }}
      key: {{ include "heddle.redis.passwordKey" $root }}
{{- end }}
- name: HEDDLE_REDIS_URL
  {{- $url := include "heddle.redis.url" . }}
  {{- if include "heddle.redis.secret" . }}
  value: {{ regexReplaceAll "^(rediss?://)" $url (printf "${1}%s:$(REDIS_PASSWORD)@" .Values.redis.username) | quote }}
  {{- else }}
  value: {{ $url | quote }}
  {{- end }}
{{- if hasPrefix "SASL" $protocol }}
- name: KAFKA_USER
  {{- if .Values.kafka.strimzi.enabled }}
  value: {{ include "heddle.fullname" . }}
  {{- else if .Values.kafka.username }}
  value: {{ .Values.kafka.username | quote }}
  {{- else }}
  valueFrom:
    secretKeyRef:
      name: {{ .Values.kafka.existingSecret }}
      key: {{ .Values.kafka.usernameKey }}
  {{- end }}
- name: KAFKA_PASSWORD
  valueFrom:
    secretKeyRef:
      name: {{ include "heddle.kafka.secret" . }}
      key: {{ if .Values.kafka.strimzi.enabled }}password{{ else }}{{ .Values.kafka.passwordKey }}{{ end }}
- name: HEDDLE_KAFKA_PROPERTIES_SASL_MECHANISM
  value: {{ include "heddle.kafka.mechanism" . }}
- name: HEDDLE_KAFKA_PROPERTIES_SASL_JAAS_CONFIG
  value: org.apache.kafka.common.security.{{ if hasPrefix "SCRAM" (include "heddle.kafka.mechanism" .) }}scram.ScramLoginModule{{ else }}plain.PlainLoginModule{{ end }} required username="$(KAFKA_USER)" password="$(KAFKA_PASSWORD)";
{{- end }}
{{- range $setting, $value := $settings }}
- name: {{ include "heddle.variable" $setting }}
  value: {{ include "heddle.text" $value | quote }}
{{- end }}
{{- with .Values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end }}
{{- end }}

{{/* Makes a backup and removes old ones. Its parameters: minutes after which an unfinished file is left over, and the number of the first file to
remove, from the newest on. */}}
{{- define "heddle.backupScript" -}}
cd /backups
for file in heddle-*_"$JOB"; do
  # A pod of this job has made it, and its upload has failed.
  if [ -f "$file" ]; then exit 0; fi
done
# What runs have left that were interrupted.
find . -name 'heddle-*.unfinished' -mmin +%d -delete
heddle backup "/backups/heddle-$(date -u +%%Y-%%m-%%dT%%H%%M%%SZ)_$JOB"
# Their names begin with the time.
ls -r | grep '^heddle-2.*Z_' | grep -v '\.unfinished$' | tail -n +%d | while read -r file; do
  rm -f -- "$file"
  echo "Removed the old backup $file"
done
{{- end }}

{{/* The pod of a command for backups, with the environment of a broker. Arguments: root, name, command, and upload: whether another container
copies the files afterwards. */}}
{{- define "heddle.backupPod" -}}
{{- $job := . }}
{{- with .root -}}
metadata:
  labels:
    {{- include "heddle.labels" . | nindent 4 }}
    app.kubernetes.io/component: backup
spec:
  serviceAccountName: {{ include "heddle.serviceAccount" . }}
  automountServiceAccountToken: {{ .Values.serviceAccount.automountToken }}
  enableServiceLinks: false
  restartPolicy: Never
  securityContext:
    {{- toYaml .Values.podSecurityContext | nindent 4 }}
  {{- with .Values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{ if $job.upload }}initContainers{{ else }}containers{{ end }}:
    - name: {{ $job.name }}
      image: {{ include "heddle.image" . | quote }}
      imagePullPolicy: {{ .Values.image.pullPolicy }}
      command:
        {{- toYaml $job.command | nindent 8 }}
      env:
        - name: JOB
          valueFrom:
            fieldRef:
              fieldPath: metadata.labels['batch.kubernetes.io/job-name']
        {{- include "heddle.env" (dict "root" . "heap" false) | nindent 8 }}
      resources:
        {{- toYaml .Values.backup.resources | nindent 8 }}
      securityContext:
        {{- toYaml .Values.containerSecurityContext | nindent 8 }}
      volumeMounts:
        - name: backups
          mountPath: /backups
        - name: temporary
          mountPath: /tmp
        - name: data
          mountPath: /var/lib/heddle
        {{- range include "heddle.volumes" . | fromJsonArray }}
        - name: {{ .name }}
          mountPath: /etc/heddle/{{ .name }}
          readOnly: true
        {{- end }}
        {{- with .Values.extraVolumeMounts }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
  {{- if $job.upload }}
  {{- with .Values.backup.upload }}
  containers:
    - name: upload
      image: {{ .image | quote }}
      command:
        {{- toYaml .command | nindent 8 }}
      env:
        # The only folder that it may write to.
        - name: HOME
          value: /tmp
        {{- with .env }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      resources:
        {{- toYaml .resources | nindent 8 }}
      securityContext:
        {{- toYaml $job.root.Values.containerSecurityContext | nindent 8 }}
      volumeMounts:
        - name: backups
          mountPath: /backups
          readOnly: true
        - name: temporary
          mountPath: /tmp
  {{- end }}
  {{- end }}
  volumes:
    - name: backups
      persistentVolumeClaim:
        claimName: {{ .Values.backup.claim }}
    - name: temporary
      emptyDir:
        sizeLimit: {{ .Values.temporaryVolume }}
    - name: data
      emptyDir:
        sizeLimit: {{ .Values.temporaryVolume }}
    {{- range include "heddle.volumes" . | fromJsonArray }}
    - name: {{ .name }}
      secret:
        secretName: {{ .secret }}
        defaultMode: 0440
    {{- end }}
    {{- with .Values.extraVolumes }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
{{- end }}
{{- end }}
