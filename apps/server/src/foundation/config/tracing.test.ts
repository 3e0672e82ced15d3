import { describe, expect, test } from 'vitest';
import { readConfig } from './index.ts';

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };
const tracing = (environment: Record<string, string>) => readConfig(environment).tracing;

describe('nothing is traced, and no problem is reported', () => {
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
  ])('%s is for all signals, and that of traces is below it', (address, url) => {
    expect(tracing({ OTEL_EXPORTER_OTLP_ENDPOINT: address }).settings?.url).toBe(url);
  });

  test('for traces alone is taken as it is', () => {
    const own = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://other/in' };
    expect(tracing({ ...endpoint, ...own }).settings?.url).toBe('http://other/in');
  });
});

test('with only an endpoint, all traces are sent by protobuf in the batches of the standard', () => {
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

test('names and values of pairs are decoded, and anything that is not a pair is left out', () => {
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

describe('the share of traces', () => {
  test.each([
    ['always_on', '0.1', 1],
    ['parentbased_always_on', '', 1],
    ['always_off', '', 0],
    ['traceidratio', '0.25', 0.25],
    ['parentbased_traceidratio', '0', 0],
    ['traceidratio', '', 1],
  ])('for the sampler %s with the argument %j is %d', (sampler, argument, share) => {
    const written = { OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: argument };
    expect(tracing({ ...endpoint, ...written })).toMatchObject({ settings: { share }, problems: [] });
  });
});

describe('an unusable value does not stop the start, and is reported:', () => {
  test.each<[string, string]>([
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_TRACES_EXPORTER', 'zipkin'],
    ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'collector:4318'],
  ])('%s=%s turns traces off', (name, value) => {
    const { settings, problems } = tracing({ ...endpoint, [name]: value });
    expect(settings).toBeNull();
    expect(problems).toEqual([expect.stringMatching(/^OTEL_.+\. No traces are sent\.$/)]);
  });

  test.each<[string, string]>([
    ['OTEL_TRACES_SAMPLER', 'xray'],
    ['OTEL_TRACES_SAMPLER_ARG', '2'],
    ['OTEL_BSP_MAX_QUEUE_SIZE', 'many'],
    ['OTEL_EXPORTER_OTLP_TIMEOUT', '10s'],
  ])('%s=%s is replaced by the default', (name, value) => {
    const { settings, problems } = tracing({ ...endpoint, OTEL_TRACES_SAMPLER: 'traceidratio', [name]: value });
    expect(settings).toEqual(tracing(endpoint).settings);
    expect(problems).toEqual([expect.stringContaining(name)]);
  });
});
