import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import { answerHeaders } from './answer-headers.ts';
import type { ToApp } from './apps-server.ts';
import { plainPage } from './pages.ts';

type Exchange = {
  to: ToApp;
  hasBody: boolean;
  request: IncomingMessage;
  response: ServerResponse;
  /** Time limit from the last byte of the request to the head of the response. */
  answerMs?: number;
};

/**
 * Sends one request and passes on its response. False if the app did not receive the request, which may then be sent
 * again. If the app received it but did not respond, it may have processed it, or crashed because of it. An app can
 * send any response, so no response may make a listener throw, because that would end the process.
 */
export function exchange(upstream: ClientRequest, all: Exchange): Promise<boolean> {
  const { to, hasBody, request, response, answerMs = 60_000 } = all;
  return new Promise((resolve) => {
    let late: NodeJS.Timeout | undefined;
    const refuse = (status: number, message: string) => {
      if (response.headersSent) response.destroy();
      else plainPage(response, status, message);
      upstream.destroy();
    };
    const refuseAnswer = () => refuse(502, 'The app sent an invalid response');
    const waitForAnswer = () => {
      late = setTimeout(refuse, answerMs, 504, 'The app did not respond in time');
    };
    upstream.on('response', (answer) => {
      clearTimeout(late);
      answer.on('error', () => response.destroy());
      answer.on('aborted', () => response.destroy());
      if (!isFinalStatus(answer.statusCode)) return refuseAnswer();
      try {
        response.writeHead(answer.statusCode, answerHeaders(to.address, answer));
        answer.pipe(response);
      } catch {
        refuseAnswer();
      }
    });
    // The request did not ask for an upgrade.
    upstream.on('upgrade', (_answer, app) => {
      app.destroy();
      refuseAnswer();
    });
    upstream.on('error', (error) => {
      clearTimeout(late);
      if (response.headersSent || response.destroyed) return resolve(true);
      if (neverArrived(error)) return resolve(false);
      refuse(502, 'The app exited during the request');
      resolve(true);
    });
    // The exchange is complete or the client has disconnected, so further output of the app is not needed.
    const end = () => {
      clearTimeout(late);
      resolve(true);
      upstream.destroy();
    };
    response.on('close', end);
    if (response.destroyed) return end();
    if (hasBody) request.once('end', waitForAnswer).pipe(upstream);
    else {
      waitForAnswer();
      upstream.end();
    }
  });
}

/**
 * Whether the app never received the request: the connection was refused, or the relay reset it (relay.ts). If the
 * other side closes the connection after reading, no system call fails.
 */
const neverArrived = (error: NodeJS.ErrnoException): boolean => error.syscall !== undefined;

/** An app can send any three digits. A status below 200 does not end a response, and some numbers are not valid. */
export const isFinalStatus = (status: number | undefined): status is number =>
  status !== undefined && status >= 200 && status <= 599;
