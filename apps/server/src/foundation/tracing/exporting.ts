import { setTimeout as delay } from 'node:timers/promises';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import type { TracingSettings } from '../config/tracing.ts';
import { recordSpans } from './recording.ts';

/** How long a stopping process waits for its last spans to be sent. */
const lastMs = 3_000;

/**
 * Sends spans to a collector, in batches and in the background. Spans that the collector does not accept are dropped.
 */
export async function exportSpans(settings: TracingSettings, log: Logger): Promise<{ stop(): Promise<void> }> {
  const recorder = recordSpans(tellingOnce(await openExporter(settings), log), settings);
  return {
    async stop() {
      const flushed = recorder.stop().catch(() => undefined);
      await Promise.race([flushed, delay(lastMs, undefined, { ref: false })]);
    },
  };
}

async function openExporter({ url, protocol, headers, timeoutMs }: TracingSettings): Promise<SpanExporter> {
  const { OTLPTraceExporter } =
    protocol === 'http/json'
      ? await import('@opentelemetry/exporter-trace-otlp-http')
      : await import('@opentelemetry/exporter-trace-otlp-proto');
  return new OTLPTraceExporter({ url, headers, timeoutMillis: timeoutMs });
}

/**
 * Logs one line when the collector becomes unavailable, and one line when it is back, however many batches are lost in
 * between.
 */
function tellingOnce(exporter: SpanExporter, log: Logger): SpanExporter {
  let isAway = false;
  return {
    export(spans, done) {
      exporter.export(spans, ({ code, error }) => {
        const failed = code !== 0;
        if (failed && !isAway) {
          log.warn(
            { source: 'tracing', err: error },
            'the collector does not accept traces; dropping traces until it does',
          );
        }
        if (!failed && isAway) log.info({ source: 'tracing' }, 'the collector accepts traces again');
        isAway = failed;
        // The failure is already logged, so success is reported. Otherwise, OpenTelemetry would report an error of the
        // whole process.
        done({ code: 0 });
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}
