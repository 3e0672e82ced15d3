import type { settings as table } from './settings.ts';

/** Where traces are sent, what share of them is recorded, and how they describe the service. */
export type TracingSettings = {
  url: string;
  protocol: Protocol;
  headers: Record<string, string>;
  timeoutMs: number;
  resource: Record<string, string>;
  /** Share of the traces that is recorded, from 0 to 1. */
  share: number;
  batch: {
    scheduledDelayMillis: number;
    exportTimeoutMillis: number;
    maxQueueSize: number;
    maxExportBatchSize: number;
  };
};

/** `settings` is null if nothing is traced. `problems` lists values that were set but are not valid. */
export type Tracing = { settings: TracingSettings | null; problems: readonly string[] };

type Protocol = (typeof protocols)[number];
type Name = Extract<keyof typeof table, `OTEL_${string}`>;
type Values = Record<Name, string | null>;

const protocols = ['http/protobuf', 'http/json'] as const;
const samplers = ['always_on', 'always_off', 'traceidratio'];

/**
 * The standard variables are often set for all services of a machine or cluster, by somebody who does not know this
 * service. So, unlike with our own settings, an invalid value never prevents the start. It is reported and ignored.
 */
export function ofTracing(values: Values): Tracing {
  const { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: ofTraces, OTEL_EXPORTER_OTLP_ENDPOINT: ofAll } = values;
  const problems: string[] = [];
  const isOff = values.OTEL_SDK_DISABLED?.toLowerCase() === 'true' || values.OTEL_TRACES_EXPORTER === 'none';
  const address = ofTraces ?? (ofAll && `${ofAll.replace(/\/+$/, '')}/v1/traces`);
  if (isOff || !address) return { settings: null, problems };
  const why = whyNoTraces(values, address);
  if (why !== null) return { settings: null, problems: [`${why}. No traces are sent.`] };
  const number = (name: Name, fallback: number) => {
    const written = values[name];
    if (written === null || /^\d{1,9}$/.test(written)) return Number(written ?? fallback);
    problems.push(`${name} must be a whole number; Bottega uses ${fallback}.`);
    return fallback;
  };
  const timeoutMs = number('OTEL_EXPORTER_OTLP_TIMEOUT', 10_000);
  const settings = {
    url: address,
    protocol: protocolOf(values) as Protocol,
    headers: { ...pairs(values.OTEL_EXPORTER_OTLP_HEADERS), ...pairs(values.OTEL_EXPORTER_OTLP_TRACES_HEADERS) },
    timeoutMs: number('OTEL_EXPORTER_OTLP_TRACES_TIMEOUT', timeoutMs),
    resource: {
      'service.name': 'bottega',
      ...pairs(values.OTEL_RESOURCE_ATTRIBUTES),
      ...(values.OTEL_SERVICE_NAME && { 'service.name': values.OTEL_SERVICE_NAME }),
    },
    share: shareOf(values, problems),
    batch: {
      scheduledDelayMillis: number('OTEL_BSP_SCHEDULE_DELAY', 5_000),
      exportTimeoutMillis: number('OTEL_BSP_EXPORT_TIMEOUT', 30_000),
      maxQueueSize: number('OTEL_BSP_MAX_QUEUE_SIZE', 2_048),
      maxExportBatchSize: number('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 512),
    },
  };
  return { settings, problems };
}

const protocolOf = (values: Values): string =>
  values.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? values.OTEL_EXPORTER_OTLP_PROTOCOL ?? 'http/protobuf';

function whyNoTraces(values: Values, address: string): string | null {
  const protocol = protocolOf(values);
  const { OTEL_TRACES_EXPORTER: exporter } = values;
  if (exporter !== null && exporter !== 'otlp')
    return `OTEL_TRACES_EXPORTER is ${exporter}: only otlp and none are supported`;
  if (!protocols.some((one) => one === protocol)) {
    return `OTEL_EXPORTER_OTLP_PROTOCOL is ${protocol}: only ${protocols.join(' and ')} are supported, on port 4318 of most collectors`;
  }
  const isHttp = URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);
  return isHttp ? null : 'OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https address';
}

/**
 * The share of traces to record. The id of a trace decides whether it is recorded, for all its spans and on every node.
 * A caller never decides it, so the standard's prefix `parentbased_` makes no difference.
 */
function shareOf(
  { OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: argument }: Values,
  problems: string[],
): number {
  const kind = (sampler ?? 'always_on').replace(/^parentbased_/, '');
  if (kind === 'always_off') return 0;
  if (!samplers.includes(kind))
    problems.push(`OTEL_TRACES_SAMPLER is ${sampler}, which is not supported: every trace is sent.`);
  if (kind !== 'traceidratio') return 1;
  const share = Number(argument ?? 1);
  if (share >= 0 && share <= 1) return share;
  problems.push('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1: every trace is sent.');
  return 1;
}

/** Parses `name=value,name=value`, percent-encoded. Ignores parts that are not in this form. */
function pairs(written: string | null): Record<string, string> {
  const parts = (written ?? '').split(',').map((part) => /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(part));
  return Object.fromEntries(parts.flatMap((part) => (part ? [[decoded(part[1]), decoded(part[2])]] : [])));
}

function decoded(text = ''): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
