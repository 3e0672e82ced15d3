import type { ClientRequest, IncomingMessage } from 'node:http';
import { type Duplex, PassThrough } from 'node:stream';
import { type AnswerHeaders, answerHeaders } from './answer-headers.ts';
import type { ToApp } from './apps-server.ts';
import { isFinalStatus } from './exchange.ts';
import { endSoon, refuseUpgrade } from './pages.ts';

/** How long one direction of a connection may stay open after the other has ended. */
export const halfOpenMs = 30_000;

type Upgrade = { to: ToApp; socket: Duplex; head: Buffer; answerMs?: number };

/**
 * Passes on an upgraded connection, or the app's refusal of it, until both connections are gone. Neither outlives the
 * other. The client is read from the start, because a connection that nobody reads never reports its end.
 */
export function passUpgrade(upstream: ClientRequest, { to, socket, head, answerMs = 30_000 }: Upgrade): Promise<void> {
  const early = new PassThrough();
  early.write(head);
  let isAnswered = false;
  const refuse = (status: number) => {
    clearTimeout(late);
    upstream.destroy();
    if (isAnswered) return void socket.destroy();
    isAnswered = true;
    socket.unpipe(early);
    refuseUpgrade(socket, status);
  };
  let late = setTimeout(refuse, answerMs, 504);
  const answered = () => {
    clearTimeout(late);
    isAnswered = true;
  };
  upstream.on('upgrade', (answer, app, first) => {
    app.on('error', () => app.destroy());
    if (answer.statusCode !== 101) {
      app.destroy();
      return refuse(502);
    }
    answered();
    const { upgrade: protocol = '' } = answer.headers;
    const headers = { ...answerHeaders(to.address, answer), connection: 'Upgrade', upgrade: protocol };
    socket.write(headText(answer, headers), 'latin1');
    socket.write(first);
    socket.on('close', () => app.destroy());
    app.on('close', () => endSoon(socket));
    early.pipe(app).pipe(socket);
  });
  upstream.on('response', (answer) => {
    answer.on('error', () => socket.destroy());
    if (!isFinalStatus(answer.statusCode)) return refuse(502);
    answered();
    // The response ends when the connection ends. How the app marked the end of its response matters only for its
    // connection to us.
    socket.write(headText(answer, { ...answerHeaders(to.address, answer), connection: 'close' }), 'latin1');
    socket.unpipe(early).resume();
    answer.on('end', () => endSoon(socket));
    answer.pipe(socket, { end: false });
  });
  upstream.on('error', () => refuse(502));
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(late);
      upstream.destroy();
      resolve();
    };
    socket.on('error', () => socket.destroy()).on('close', end);
    // If the client disconnects before the response, it does not need one. After the response, the app gets a moment to
    // finish.
    socket.on('end', () => {
      if (isAnswered) late = setTimeout(() => socket.destroy(), halfOpenMs);
      else socket.destroy();
    });
    if (socket.destroyed) return end();
    socket.pipe(early);
    upstream.end();
  });
}

function headText({ statusCode, statusMessage }: IncomingMessage, headers: AnswerHeaders): string {
  const lines = Object.entries(headers).flatMap(([name, value]) => [value].flat().map((one) => `${name}: ${one}`));
  return `${[`HTTP/1.1 ${statusCode} ${statusMessage}`, ...lines].join('\r\n')}\r\n\r\n`;
}
