{{- define "skerry.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name }}{{ else }}{{ .Release.Name }}-{{ .Chart.Name }}{{ end }}
{{- end }}

{{- define "skerry.serviceAccount" -}}
{{- if .Values.serviceAccount.name }}{{ .Values.serviceAccount.name }}{{ else if .Values.serviceAccount.create }}{{ include "skerry.name" . }}{{ else }}default{{ end }}
{{- end }}

{{- define "skerry.chosen" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- /* Other labels than those of the service, so that no Service sends calls to a backup. */}}
{{- define "skerry.backupChosen" -}}
app.kubernetes.io/name: {{ .Chart.Name }}-backup
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "skerry.labels" -}}
{{ include "skerry.chosen" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "skerry.secret" -}}
{{- if .Values.redis.existingSecret.name }}{{ .Values.redis.existingSecret.name }}{{ else }}{{ include "skerry.name" . }}-redis{{ end }}
{{- end }}

{{- /* What every pod of the chart needs: the service and the backups. */}}
{{- define "skerry.podSpec" -}}
# Otherwise a Service named skerry would set SKERRY_PORT in every pod.
enableServiceLinks: false
serviceAccountName: {{ include "skerry.serviceAccount" . | quote }}
automountServiceAccountToken: {{ .Values.serviceAccount.automountToken }}
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . | quote }}
  {{- end }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile:
    type: RuntimeDefault
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "skerry.containerSpec" -}}
image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: ["ALL"]
{{- with .Values.envFrom }}
envFrom:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- /* Variables of every pod. Those of the chart come first, and extraEnv may not name them. */}}
{{- define "skerry.commonEnv" -}}
- name: REDIS_URL_FILE
  value: /run/secrets/skerry/redis-url
{{- if or .Values.privateCa.configMapName .Values.privateCa.secretName }}
# OpenSSL reads this file in addition to the directory with the authorities of the image.
- name: SSL_CERT_FILE
  value: {{ printf "/run/secrets/ca/%s" .Values.privateCa.key | quote }}
{{- end }}
{{- range .Values.extraEnv }}
{{- if or (has .name (splitList " " (include "skerry.own" $))) (hasKey $.Values.settings .name) }}
{{- fail (printf "extraEnv: %s is set from another value. Set that value instead." .name) }}
{{- end }}
- {{ toYaml . | nindent 2 | trim }}
{{- end }}
{{- end }}

{{- define "skerry.commonMounts" -}}
- name: redis
  mountPath: /run/secrets/skerry
  readOnly: true
{{- if or .Values.privateCa.configMapName .Values.privateCa.secretName }}
- name: ca
  mountPath: /run/secrets/ca
  readOnly: true
{{- end }}
- name: data
  mountPath: /data
- name: tmp
  mountPath: /tmp
{{- with .Values.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "skerry.commonVolumes" -}}
{{- if and .Values.privateCa.configMapName .Values.privateCa.secretName }}
{{- fail "Set privateCa.configMapName or privateCa.secretName, not both." }}
{{- end -}}
- name: redis
  secret:
    secretName: {{ include "skerry.secret" . | quote }}
    items:
      - key: {{ .Values.redis.existingSecret.key | quote }}
        path: redis-url
{{- if .Values.privateCa.configMapName }}
- name: ca
  configMap:
    name: {{ .Values.privateCa.configMapName | quote }}
{{- else if .Values.privateCa.secretName }}
- name: ca
  secret:
    secretName: {{ .Values.privateCa.secretName | quote }}
    defaultMode: 0440
{{- end }}
- name: data
  emptyDir: {}
- name: tmp
  emptyDir: {}
{{- with .Values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- /* Where pods may connect to. */}}
{{- define "skerry.egress" -}}
# DNS, with any resolver of the cluster.
- ports:
    - port: 53
      protocol: UDP
    - port: 53
      protocol: TCP
- ports:
    - port: {{ .Values.redis.port }}
  {{- with .Values.networkPolicy.redis }}
  to:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- with .Values.networkPolicy.egress }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- /* Scale down slowly, because streams must reconnect when a pod stops. */}}
{{- define "skerry.scaling" -}}
scaleDown:
  stabilizationWindowSeconds: 600
  policies:
    - type: Pods
      value: 1
      periodSeconds: 120
{{- end }}

{{- /* Variables that the chart itself sets. */}}
{{- define "skerry.own" -}}
SKERRY_HOST SKERRY_PORT SKERRY_HTTP SKERRY_HEALTH REDIS_URL REDIS_URL_FILE
{{- if .Values.metrics.enabled }} SKERRY_METRICS{{ end }}
{{- if .Values.tls.secretName }} SKERRY_TLS_CERTIFICATE SKERRY_TLS_KEY SKERRY_TLS_CLIENT_CA{{ end }}
{{- if .Values.apiKeys.secretName }} SKERRY_KEYS{{ end }}
{{- if .Values.archive.existingClaim }} SKERRY_ARCHIVE SKERRY_ARCHIVE_FILE{{ end }}
{{- if or .Values.privateCa.configMapName .Values.privateCa.secretName }} SSL_CERT_FILE{{ end }}
{{- end }}
