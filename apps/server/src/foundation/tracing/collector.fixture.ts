import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { waitFor } from '../../testing/parts/wait-for.ts';

type Value = { stringValue?: string; intValue?: number | string; boolValue?: boolean };
type Pairs = { key: string; value: Value }[];
type Sent = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: Pairs;
  links?: { traceId: string; spanId: string }[];
  status: { code?: number };
};
type Batch = { resourceSpans: { resource: { attributes: Pairs }; scopeSpans: { spans: Sent[] }[] }[] };

export type Collected = Omit<Sent, 'attributes'> & {
  attributes: Record<string, unknown>;
  resource: Record<string, unknown>;
};
export type Collector = Awaited<ReturnType<typeof startCollector>>;

const plain = (pairs: Pairs): Record<string, unknown> =>
  Object.fromEntries(
    pairs.map(({ key, value }) => [key, value.stringValue ?? value.boolValue ?? Number(value.intValue)]),
  );

/** Accepts OTLP over HTTP like a collector. JSON is parsed, and everything else is kept as it is. */
export async function startCollector() {
  const requests: { path: string; headers: IncomingHttpHeaders; body: Buffer }[] = [];
  const spans: Collected[] = [];
  let status = 200;
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    requests.push({ path: request.url ?? '', headers: request.headers, body });
    const isRead = status === 200 && request.headers['content-type'] === 'application/json';
    for (const { resource, scopeSpans } of isRead ? (JSON.parse(String(body)) as Batch).resourceSpans : []) {
      for (const sent of scopeSpans.flatMap((scope) => scope.spans)) {
        spans.push({ ...sent, attributes: plain(sent.attributes), resource: plain(resource.attributes) });
      }
    }
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    requests,
    spans,
    /** Settings that make a service send here often. */
    settings: {
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '20',
    },
    answer(next: number) {
      status = next;
    },
    find: (what: string, wanted: (span: Collected) => boolean): Promise<Collected> =>
      waitFor(`the span of ${what}`, () => spans.find(wanted)),
    partsOf: (whole: Collected) => spans.filter(({ parentSpanId }) => parentSpanId === whole.spanId),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
