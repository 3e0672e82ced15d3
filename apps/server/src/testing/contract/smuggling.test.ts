import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from 'vitest';
import { type TestUser, useTestService } from '../service/test-service.ts';

const service = useTestService();
let user: TestUser;
beforeAll(async () => {
  user = await service.createUser();
});

const head = (...lines: string[]): string => `${lines.join('\r\n')}\r\n\r\n`;
/** A request that must not be executed: its answer would name the account. */
const inner = () => head('GET /v1/user HTTP/1.1', 'Host: x', `Authorization: Bearer ${user.key}`);
const last = head('GET /healthz HTTP/1.1', 'Host: x', 'Connection: close');
const body = '{"name":"x"}';
const chunked = (content: string): string => `${content.length.toString(16)}\r\n${content}\r\n0\r\n\r\n`;
const posted = (...lines: string[]): string =>
  head('POST /v1/projects HTTP/1.1', 'Host: x', `Authorization: Bearer ${user.key}`, ...lines);
const json = 'Content-Type: application/json';

/** All bytes until the service closes the connection. */
async function answersTo(bytes: string) {
  const { hostname, port } = new URL(service.url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.write(bytes, 'latin1');
  const received = await text(socket);
  return { received, statuses: [...received.matchAll(/HTTP\/1\.1 (\d+) [A-Z]/g)].map(([, status]) => Number(status)) };
}

describe('a request whose end is ambiguous is refused, with everything that follows it:', () => {
  test.each([
    ...[['Transfer-Encoding : chunked'], ['Transfer-Encoding: xchunked'], ['Transfer-Encoding:\r\n chunked']],
    ...[['Transfer-Encoding: \x0bchunked'], ['X: y\rTransfer-Encoding: chunked'], ['X: y\nTransfer-Encoding: chunked']],
    ...[['Transfer-Encoding: identity', 'Content-Length: 12'], ['Transfer-Encoding: chunked, identity']],
    ...[['Transfer-Encoding: chunked', 'Transfer-Encoding: identity'], ['Transfer-Encoding:\tchunked\t']],
    ...[
      ['Transfer-Encoding: chunked', 'Content-Length: 4'],
      ['Content-Length: 4', 'Transfer-Encoding: chunked'],
    ],
  ])('%j %j', async (...lines) => {
    const { received, statuses } = await answersTo(posted(json, ...lines) + chunked(body) + inner());
    expect([statuses, received.includes(user.id)]).toEqual([[400], false]);
  });

  test.each(['+12', '12, 12', '0xc', '1 2', '18446744073709551628'])('Content-Length: %s', async (length) => {
    const { received, statuses } = await answersTo(posted(json, `Content-Length: ${length}`) + body + inner());
    expect([statuses, received.includes(user.id)]).toEqual([[400], false]);
  });

  test.each([
    ...[`c;a\nb\r\n${body}\r\n0\r\n\r\n`, `-c\r\n${body}\r\n0\r\n\r\n`, `1000000000000000c\r\n${body}\r\n0\r\n\r\n`],
    ...[`b\r\n${body}\r\n0\r\n\r\n`, `c\n${body}\n0\n\n`, `c\r\n${body}\r\n0\r\nContent-Length: 5\r\n\r\n`],
  ])('chunks %j', async (chunks) => {
    const { received, statuses } = await answersTo(posted(json, 'Transfer-Encoding: chunked') + chunks + inner());
    expect([statuses, received.includes(user.id)]).toEqual([[400], false]);
  });

  test.each([
    ['a PROXY header', 'PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\n'],
    ['a PROXY header in bytes', '\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c\x01\x02\x03\x04\x05\x06\x07\x08\0\x01\0\x02'],
    ['line feeds alone', 'GET /healthz HTTP/1.1\nHost: x\n\n'],
  ])('%s', async (_what, bytes) => {
    const { received, statuses } = await answersTo(bytes + inner());
    expect([statuses, received.includes(user.id)]).toEqual([[400], false]);
  });
});

describe('a body is never read as another request:', () => {
  const socket = 'GET /v1/collaboration/sessions/ses_1/ws HTTP/1.1';
  const upgrade = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'];
  test.each([
    ['GET /healthz HTTP/1.1'],
    ['HEAD /healthz HTTP/1.1'],
    ['POST /v1/projects HTTP/1.1', json],
    [socket, ...upgrade, 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=='],
  ])('the body of %s', async (...lines) => {
    const length = `Content-Length: ${inner().length}`;
    const plain = await answersTo(head(...lines, 'Host: x', length) + inner() + last);
    const inChunks = await answersTo(head(...lines, 'Host: x', 'Transfer-Encoding: chunked') + chunked(inner()) + last);
    for (const { received, statuses } of [plain, inChunks]) {
      expect(statuses.length).toBeLessThanOrEqual(2);
      expect(received).not.toContain(user.id);
    }
  });
});
