import { describe, expect, test } from 'vitest';
import { readConfig } from './index.ts';

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };
const tracing = (environment: Record<string, string>) => readConfig(environment).tracing;

describe('nothing is traced, and nothing said of it', () => {
  test.each<[string, Record<string, string>]>([
    [
      'without an endpoint',
      { OTEL_SERVICE_NAME: 'x', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc', OTEL_TRACES_SAMPLER: 'xray' },
    ],
    ['where the SDK is disabled', { ...endpoint, OTEL_SDK_DISABLED: 'True' }],
    ['where there is no exporter of traces', { ...endpoint, OTEL_TRACES_EXPORTER: 'none' }],
  ])('%s', (_when, environment) => {
    expect(tracing(environment)).toEqual({ settings: null, problems: [] });
  });
});

describe('the address', () => {
  test.each([
    ['http://collector:4318', 'http://collector:4318/v1/traces'],
    ['https://collector/otlp/', 'https://collector/otlp/v1/traces'],
  ])('%s is that of all signals, and traces have theirs below it', (address, url) => {
    expect(tracing({ OTEL_EXPORTER_OTLP_ENDPOINT: address }).settings?.url).toBe(url);
  });

  test('of traces alone is taken as it is', () => {
    const own = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://other/in' };
    expect(tracing({ ...endpoint, ...own }).settings?.url).toBe('http://other/in');
  });
});

test('without more than an endpoint, all traces go out by protobuf in the batches of the standard', () => {
  expect(tracing(endpoint).settings).toEqual({
    url: 'http://collector:4318/v1/traces',
    protocol: 'http/protobuf',
    headers: {},
    timeoutMs: 10_000,
    resource: { 'service.name': 'bottega' },
    share: 1,
    batch: { scheduledDelayMillis: 5_000, exportTimeoutMillis: 30_000, maxQueueSize: 2_048, maxExportBatchSize: 512 },
  });
});

test('names and values of pairs are decoded, and what is no pair is left out', () => {
  const written = {
    OTEL_RESOURCE_ATTRIBUTES: 'service.name=a, host = b%2Cc ,nonsense,=x,half=%',
    OTEL_SERVICE_NAME: 'mine',
  };
  expect(tracing({ ...endpoint, ...written }).settings?.resource).toEqual({
    'service.name': 'mine',
    host: 'b,c',
    half: '%',
  });
});

describe('the share', () => {
  test.each([
    ['always_on', '0.1', 1],
    ['parentbased_always_on', '', 1],
    ['always_off', '', 0],
    ['traceidratio', '0.25', 0.25],
    ['parentbased_traceidratio', '0', 0],
    ['traceidratio', '', 1],
  ])('by %s of %j is %d', (sampler, argument, share) => {
    const written = { OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: argument };
    expect(tracing({ ...endpoint, ...written })).toMatchObject({ settings: { share }, problems: [] });
  });
});

describe('a value that is not for us does not stop the start:', () => {
  test.each<[string, string]>([
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_TRACES_EXPORTER', 'zipkin'],
    ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'collector:4318'],
  ])('with %s=%s it goes on without traces, and says so', (name, value) => {
    const { settings, problems } = tracing({ ...endpoint, [name]: value });
    expect(settings).toBeNull();
    expect(problems).toEqual([expect.stringMatching(/^OTEL_.+\. No traces are sent\.$/)]);
  });

  test.each<[string, string]>([
    ['OTEL_TRACES_SAMPLER', 'xray'],
    ['OTEL_TRACES_SAMPLER_ARG', '2'],
    ['OTEL_BSP_MAX_QUEUE_SIZE', 'many'],
    ['OTEL_EXPORTER_OTLP_TIMEOUT', '10s'],
  ])('with %s=%s the default holds, and it says so', (name, value) => {
    const { settings, problems } = tracing({ ...endpoint, OTEL_TRACES_SAMPLER: 'traceidratio', [name]: value });
    expect(settings).toEqual(tracing(endpoint).settings);
    expect(problems).toEqual([expect.stringContaining(name)]);
  });
});
