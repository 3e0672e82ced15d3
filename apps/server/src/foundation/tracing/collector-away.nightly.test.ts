import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, inject, test } from 'vitest';
import { useCli } from '../../testing/clients/cli.ts';
import { call } from '../../testing/clients/http-client.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { startTestService } from '../../testing/service/test-service.ts';
import { startCollector } from './collector.fixture.ts';
import { isTraced } from './span.ts';

const collector = await startCollector();
afterAll(() => collector.close());

const linesAbout = (lines: string[]) => lines.filter((line) => line.includes('"source":"tracing"'));

describe('an unavailable collector', () => {
  test('is reported in one line, costs no request, and is reported in another line when it is back', async () => {
    const lines: string[] = [];
    const settings = { ...collector.settings, OTEL_EXPORTER_OTLP_TIMEOUT: '200', OTEL_BSP_MAX_QUEUE_SIZE: '4' };
    const { running, close } = await startTestService({ settings, logTo: { write: (line) => void lines.push(line) } });
    collector.answer(503);
    const seen = collector.requests.length;
    await waitFor('several batches are refused', async () => {
      expect((await call('GET', `${running.url}/v1/projects`)).status).toBe(401);
      return collector.requests.length > seen + 3;
    });
    expect(linesAbout(lines)).toHaveLength(1);
    expect(linesAbout(lines)[0]).toContain('the collector does not accept traces');
    collector.answer(200);
    await waitFor('it is told', async () => {
      await call('GET', `${running.url}/v1/projects`);
      return linesAbout(lines).length === 2;
    });
    await close();
    expect(isTraced()).toBe(false);
  });

  test('does not delay a stop of the service', async () => {
    const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_EXPORTER_OTLP_TIMEOUT: '60000' };
    const { running, close } = await startTestService({ settings });
    await call('GET', `${running.url}/v1/projects`);
    await close();
    expect(isTraced()).toBe(false);
  });
});

describe('without a collector', () => {
  test('nothing listens to spans', async () => {
    const { close } = await startTestService({ settings: { OTEL_SERVICE_NAME: 'workshop' } });
    expect(isTraced()).toBe(false);
    await close();
  });

  test('the code that sends traces is not loaded, since it has files of its own that no file imports at start', () => {
    const files = readdirSync(inject('bundle')).filter((name) => name.endsWith('.js'));
    const texts = new Map(files.map((name) => [name, readFileSync(join(inject('bundle'), name), 'utf8')]));
    const tracing = files.filter((name) =>
      /(?:BatchSpanProcessor|OTLPTraceExporter) = class/.test(texts.get(name) ?? ''),
    );
    expect(tracing.length).toBeGreaterThan(0);
    for (const name of tracing) {
      const importers = files.filter((file) => texts.get(file)?.includes(`from "./${name}"`));
      expect(importers, name).toEqual([]);
    }
  });
});

describe('the command line', () => {
  const cli = useCli();

  test('sends the traces of all its processes, by protobuf by default, and the last ones when it stops', async () => {
    const { OTEL_EXPORTER_OTLP_ENDPOINT } = collector.settings;
    const settings = { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_BSP_SCHEDULE_DELAY: '600000', BOTTEGA_PROCESSES: '2' };
    const seen = collector.requests.length;
    const service = await cli.start({ ...settings, BOTTEGA_DATA_DIR: await cli.newDataDir() });
    const answer = await call('GET', `${service.url}/v1/projects`);
    service.signal('SIGTERM');
    expect((await service.ended).code).toBe(0);
    const sent = collector.requests.slice(seen);
    const [first] = sent;
    expect(first?.headers['content-type']).toBe('application/x-protobuf');
    // Texts appear unchanged in a protobuf message.
    const bodies = Buffer.concat(sent.map(({ body }) => body)).toString('latin1');
    expect(bodies).toContain('GET /v1/projects');
    expect(bodies).toContain(answer.headers.get('x-request-id'));
  });

  test('says that grpc is not offered, and runs without traces', async () => {
    const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4317', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' };
    const service = await cli.start({ ...settings, BOTTEGA_DATA_DIR: await cli.newDataDir() });
    await waitFor('it is said', () => service.stdout().includes('OTEL_EXPORTER_OTLP_PROTOCOL is grpc'));
    service.signal('SIGTERM');
    expect((await service.ended).code).toBe(0);
  });
});
