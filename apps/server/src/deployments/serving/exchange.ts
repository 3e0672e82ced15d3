import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import { answerHeaders } from './answer-headers.ts';
import type { ToApp } from './apps-server.ts';
import { plainPage } from './pages.ts';

type Exchange = {
  to: ToApp;
  hasBody: boolean;
  request: IncomingMessage;
  response: ServerResponse;
  /** From the last byte of the request to the head of the answer. */
  answerMs?: number;
};

/**
 * One request and its answer. False where the app has not got the request, so that it may be sent again: one that it took
 * and did not answer may be what ended it, or have done its work. What an app answers may be anything: none of it may
 * throw out of a listener, which would end the process.
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
    // Nobody asked for another protocol.
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
    // Done, or the client has gone: whatever the app still does is for nobody.
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

/** Refused, or reset by the relay (relay.ts). A connection that the other side ends after it has read is a hang-up, and no system call fails. */
const neverArrived = (error: NodeJS.ErrnoException): boolean => error.syscall !== undefined;

/** An app can write any three digits. Those below 200 are not the end of an answer, and some are no status at all. */
export const isFinalStatus = (status: number | undefined): status is number =>
  status !== undefined && status >= 200 && status <= 599;
