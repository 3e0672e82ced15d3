import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import { expect, test } from 'vitest';
import { readConfig } from '../config/index.ts';
import { recordSpans } from './recording.ts';
import { type Span, span } from './span.ts';
import { traceIdsOf } from './trace-ids.ts';

const requestId = 'req_00000000000000000000000001';
const done = async () => undefined;
const part = (name: string): Span => ({ name, attributes: {} });
const begun = (begins: NonNullable<Span['begins']>): Span => ({ name: 'whole', attributes: {}, begins });

/** Returns what is recorded while the work runs. */
async function recorded(work: () => Promise<unknown>, environment: Record<string, string> = {}) {
  const { settings } = readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost', ...environment }).tracing;
  if (!settings) throw new Error('it is on');
  const kept: ReadableSpan[] = [];
  const exporter: SpanExporter = {
    export(spans, told) {
      kept.push(...spans);
      told({ code: 0 });
    },
    shutdown: done,
  };
  const { stop } = recordSpans(exporter, settings);
  await work();
  await stop();
  return kept;
}

test('a request that another node has passed on continues its trace, under a span of its own', async () => {
  const [passedOn] = await recorded(() => span(begun({ request: requestId, isPassedOn: true }), done));
  const { traceId, spanId } = traceIdsOf(requestId);
  expect(passedOn?.spanContext().traceId).toBe(traceId);
  expect(passedOn?.parentSpanContext?.spanId).toBe(spanId);
  expect(passedOn?.spanContext().spanId).not.toBe(spanId);
});

test('a span within another is a part of it, even if several run at once', async () => {
  const spans = await recorded(() =>
    Promise.all(
      ['a', 'b'].map((name) =>
        span({ ...begun({ causedBy: null }), name }, async () => {
          await done();
          await span(part(`${name} inner`), done);
        }),
      ),
    ),
  );
  const named = (name: string) => spans.find((one) => one.name === name);
  for (const name of ['a', 'b']) {
    expect(named(`${name} inner`)?.parentSpanContext?.spanId).toBe(named(name)?.spanContext().spanId);
  }
  expect(named('a')?.spanContext().traceId).not.toBe(named('b')?.spanContext().traceId);
});

test('work outside of a span, or after its end, is not recorded', async () => {
  const spans = await recorded(async () => {
    await span(part('nobody asked'), done);
    let late: Promise<unknown> = done();
    await span(begun({ causedBy: null }), async () => {
      late = new Promise((resolve) => setTimeout(resolve, 10)).then(() => span(part('late'), done));
    });
    await late;
  });
  expect(spans.map(({ name }) => name)).toEqual(['whole']);
});

test('a trace outside of the sampled share is not recorded, and others are told so', async () => {
  const told = begun({ causedBy: null });
  const spans = await recorded(() => span(told, () => span(part('inner'), done)), {
    OTEL_TRACES_SAMPLER: 'always_off',
  });
  expect(spans).toEqual([]);
  expect(told.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
});

test('a failure is recorded by its code or name, never by its message, and still reaches the caller', async () => {
  const failing = () => Promise.reject(Object.assign(new Error('value 42 of somebody'), { code: '22P02' }));
  const [failed] = await recorded(() =>
    expect(span(begun({ causedBy: requestId }), failing)).rejects.toThrow('value 42'),
  );
  expect(failed?.status).toEqual({ code: 2 });
  expect(failed?.attributes).toEqual({ 'bottega.request_id': requestId, 'error.type': '22P02' });
  expect(failed?.links.map(({ context }) => context.traceId)).toEqual([traceIdsOf(requestId).traceId]);
});
