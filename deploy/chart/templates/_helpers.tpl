{{- define "skerry.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name }}{{ else }}{{ .Release.Name }}-{{ .Chart.Name }}{{ end }}
{{- end }}

{{- define "skerry.chosen" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
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

{{- /* Variables that the chart itself sets. */}}
{{- define "skerry.own" -}}
SKERRY_HOST SKERRY_PORT SKERRY_HTTP SKERRY_HEALTH
{{- if .Values.metrics.enabled }} SKERRY_METRICS{{ end }}
{{- if .Values.tls.secretName }} SKERRY_TLS_CERTIFICATE SKERRY_TLS_KEY SKERRY_TLS_CLIENT_CA{{ end }}
{{- if .Values.apiKeys.secretName }} SKERRY_KEYS{{ end }}
{{- if .Values.archive.existingClaim }} SKERRY_ARCHIVE{{ end }}
{{- end }}
