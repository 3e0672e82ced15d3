import { AsyncLocalStorage } from 'node:async_hooks';
import * as api from '@opentelemetry/api';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  RandomIdGenerator,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { TracingSettings } from '../config/tracing.ts';
import { version } from '../version.ts';
import { begunSpans, endedSpans, type Span } from './span.ts';
import { type TraceIds, traceIdsOf } from './trace-ids.ts';

const kinds = { server: api.SpanKind.SERVER, client: api.SpanKind.CLIENT, consumer: api.SpanKind.CONSUMER };
/** Attributes are cut off at this length, since a statement may be long. */
const longestValue = 500;

/** Starts to turn announced spans into OpenTelemetry spans, until the returned recorder is stopped. */
export function recordSpans(exporter: SpanExporter, { batch, resource, share }: TracingSettings) {
  const ids = idGenerator();
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.version': version, 'process.pid': process.pid, ...resource }),
    sampler: new TraceIdRatioBasedSampler(share),
    spanProcessors: [new BatchSpanProcessor({ exporter, ...batch })],
    spanLimits: { attributeValueLengthLimit: longestValue },
    idGenerator: ids,
  });
  const tracer = provider.getTracer('bottega', version);
  const current = new AsyncLocalStorage<api.Span | undefined>();
  const open = new WeakMap<Span, api.Span>();

  function begin(told: Span): api.Span | undefined {
    const around = current.getStore();
    // A loop that was started within a request continues after the request, and its statements do not belong to the
    // request.
    if (!told.begins && !around?.isRecording()) return around;
    const { parent, own, links } = told.begins ? originOf(told.begins) : { parent: around };
    const context = parent ? api.trace.setSpan(api.ROOT_CONTEXT, parent) : api.ROOT_CONTEXT;
    const kind = kinds[told.kind as keyof typeof kinds] ?? api.SpanKind.INTERNAL;
    const begun = ids.with(own, () => tracer.startSpan(told.name, { kind, ...(links && { links }) }, context));
    const { traceId, spanId, traceFlags } = begun.spanContext();
    told.traceparent = `00-${traceId}-${spanId}-0${traceFlags & 1}`;
    open.set(told, begun);
    return begun;
  }

  function end(message: unknown): void {
    const told = message as Span;
    const begun = open.get(told);
    if (!begun) return;
    const { begins, attributes, failure } = told;
    const requestId = begins && ('request' in begins ? begins.request : begins.causedBy);
    for (const [name, value] of Object.entries({
      ...attributes,
      'bottega.request_id': requestId,
      'error.type': failure,
    })) {
      if (value !== null && value !== undefined) begun.setAttribute(name, value);
    }
    if (failure !== undefined) begun.setStatus({ code: api.SpanStatusCode.ERROR });
    begun.end();
  }

  begunSpans.bindStore(current, (told) => begin(told as Span));
  endedSpans.subscribe(end);
  return {
    async stop(): Promise<void> {
      begunSpans.unbindStore(current);
      endedSpans.unsubscribe(end);
      await provider.shutdown();
    },
  };
}

type Origin = { parent?: api.Span; own?: TraceIds; links?: api.Link[] };

/**
 * Decides how a span that begins a trace refers to other traces. A traceparent from a stranger becomes only a link. If
 * it became the parent, strangers could write into any trace whose id they know, and could decide which traces are
 * sent.
 */
function originOf(begins: NonNullable<Span['begins']>): Origin {
  if ('causedBy' in begins)
    return begins.causedBy === null ? {} : { links: [{ context: remote(traceIdsOf(begins.causedBy)) }] };
  const own = traceIdsOf(begins.request);
  if (begins.isPassedOn) return { parent: api.trace.wrapSpanContext(remote(own)) };
  const [, traceId, spanId] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/.exec(begins.traceparent ?? '') ?? [];
  return { own, ...(traceId && spanId && { links: [{ context: remote({ traceId, spanId }) }] }) };
}

const remote = (ids: TraceIds): api.SpanContext => ({ ...ids, traceFlags: api.TraceFlags.SAMPLED, isRemote: true });

/** Generates random ids, except for a span whose ids are known in advance. */
function idGenerator() {
  const random = new RandomIdGenerator();
  let given: TraceIds | undefined;
  return {
    generateTraceId: () => given?.traceId ?? random.generateTraceId(),
    generateSpanId: () => given?.spanId ?? random.generateSpanId(),
    with<Result>(ids: TraceIds | undefined, work: () => Result): Result {
      given = ids;
      try {
        return work();
      } finally {
        given = undefined;
      }
    },
  };
}
