{{- define "bottega.labels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "bottega.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .role }}
{{- end }}

{{- define "bottega.name" -}}
{{ .root.Release.Name }}-{{ .role }}
{{- end }}

{{/* Settings for every node. */}}
{{- define "bottega.env" -}}
- name: DATABASE_URL
  valueFrom: { secretKeyRef: { name: {{ required "database.secretName must name a secret with the address of a PostgreSQL" .Values.database.secretName | quote }}, key: {{ .Values.database.secretKey | quote }} } }
- name: BOTTEGA_SECRET_KEY
  valueFrom: { secretKeyRef: { name: {{ required "secretKey.secretName must name a secret with 32 bytes in hex" .Values.secretKey.secretName | quote }}, key: {{ .Values.secretKey.secretKey | quote }} } }
{{- with .Values.metrics.secretName }}
- name: BOTTEGA_METRICS_TOKEN
  valueFrom: { secretKeyRef: { name: {{ . | quote }}, key: {{ $.Values.metrics.secretKey | quote }} } }
{{- end }}
- name: POD_IP
  valueFrom: { fieldRef: { fieldPath: status.podIP } }
- { name: BOTTEGA_PUBLIC_URL, value: {{ required "publicUrl must be the address at which users reach the service" .Values.publicUrl | quote }} }
- { name: BOTTEGA_APPS_URL, value: {{ required "appsUrl must be the address below which deployments have theirs" .Values.appsUrl | quote }} }
- { name: BOTTEGA_LAME_DUCK_SECONDS, value: {{ .Values.lameDuckSeconds | quote }} }
- { name: BOTTEGA_SHUTDOWN_TIMEOUT, value: {{ .Values.shutdownSeconds | quote }} }
{{- with .Values.trustedProxies }}
- { name: BOTTEGA_TRUSTED_PROXIES, value: {{ . | quote }} }
{{- end }}
{{- range $name, $value := .Values.settings }}
- { name: {{ $name }}, value: {{ $value | quote }} }
{{- end }}
{{- end }}

{{/* Workers respond to these probes too. */}}
{{- define "bottega.probes" -}}
startupProbe:
  httpGet: { path: /healthz, port: http }
  periodSeconds: 5
  # Migrations of a large database take minutes.
  failureThreshold: 120
readinessProbe:
  httpGet: { path: /readyz, port: http }
  periodSeconds: 5
  timeoutSeconds: 5
  failureThreshold: 1
livenessProbe:
  httpGet: { path: /healthz, port: http }
  periodSeconds: 10
  timeoutSeconds: 10
  failureThreshold: 6
{{- end }}
