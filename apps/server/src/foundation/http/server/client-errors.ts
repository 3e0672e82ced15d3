import { type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { AppError, malformed } from '../../app-error.ts';
import { errorBody } from '../request/errors.ts';

const patient = new WeakSet<Socket>();

/**
 * Extends the time limit for a body that may take longer than usual to arrive, such as a push over a slow connection.
 */
export function allowSlowBody(request: FastifyRequest, longestMs: number): void {
  const { socket } = request.raw;
  patient.add(socket);
  const timer = setTimeout(() => socket.destroy(), longestMs);
  // By now, the body has arrived, or the client has stopped sending it.
  request.raw.once('close', () => {
    clearTimeout(timer);
    patient.delete(socket);
  });
}

/** Answers errors that HTTP itself causes before there is a request, in the documented form. */
export function clientErrorHandler(options: {
  newRequestId: () => string;
  headersFor: (address: string) => Promise<Record<string, string>>;
}) {
  return async (error: NodeJS.ErrnoException, socket: Socket): Promise<void> => {
    // Node reports a timeout only once per request. For a request with an extended limit, the timer of `allowSlowBody`
    // ends it.
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && patient.has(socket)) return;
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const refusal = asAppError(error.code);
    const requestId = options.newRequestId();
    const body = JSON.stringify(errorBody(refusal, requestId));
    const headers = {
      ...(await options.headersFor(socket.remoteAddress ?? '').catch(() => ({}))),
      'x-request-id': requestId,
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(body)),
      connection: 'close',
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\n${lines.join('')}\r\n${body}`);
  };
}

/**
 * Node answers an unknown Expect with a bare 417, and closes the socket of a CONNECT. Here, a request with an unknown
 * Expect is served as if it had none, which HTTP allows. A CONNECT is refused like any other malformed request.
 */
export function registerOddRequests(server: Server): void {
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('connect', (_request, socket) => server.emit('clientError', new Error('CONNECT'), socket));
}

function asAppError(code: string | undefined): AppError {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new AppError('VALIDATION_ERROR', 'The headers are too large', { status: 431 });
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new AppError('VALIDATION_ERROR', 'The request took too long to arrive', { status: 408 });
  }
  return malformed('This is not a valid HTTP request');
}
