import type { IncomingHttpHeaders } from 'node:http';
import { reasonSentence } from '@bottega/contract';
import type { Agent, Dispatcher } from 'undici';
import { RefusedEndpoint } from '../../foundation/outgoing/connections.ts';
import { type AttemptEnd, parseRetryAfter } from '../subscriptions/index.ts';
import { bodyText } from './response-body.ts';

export type Exchange = {
  url: URL;
  headers: Record<string, string>;
  body: string;
  /** Time limit of the whole exchange, from the DNS lookup to the last byte of the response. */
  timeoutMs: number;
  /** Maximum number of bytes of the response body that are stored. */
  bodyLimit: number;
};

export type ExchangeEnd = AttemptEnd & {
  startedAt: Date;
  /** Milliseconds until the end of the response. Null if there was no response. */
  responseMs: number | null;
  responseHeaders: Record<string, string> | null;
  responseBody: string | null;
  error: string | null;
};

/** Maximum number of bytes of a body that are read. After a longer body, the connection is closed and not reused. */
const maxRawBytes = 65_536;

type Raw = {
  status: number | null;
  statusText: string;
  headers: IncomingHttpHeaders;
  chunks: Buffer[];
  fault: AttemptEnd['fault'];
  error: string | null;
};

/** Sends one POST. A failing endpoint is a result and never throws. Redirects are not followed. */
export async function post(agent: Agent, exchange: Exchange): Promise<ExchangeEnd> {
  const startedAt = new Date();
  const begun = performance.now();
  const raw = await dispatched(agent, exchange);
  const elapsed = Math.round(performance.now() - begun);
  const encoding = raw.headers['content-encoding'];
  const answered = raw.status !== null;
  return {
    startedAt,
    status: raw.status,
    fault: raw.fault,
    retryAfterMs: parseRetryAfter(raw.headers['retry-after'], startedAt),
    responseMs: answered ? elapsed : null,
    responseHeaders: answered ? flat(raw.headers) : null,
    responseBody: answered ? await bodyText(Buffer.concat(raw.chunks), encoding, exchange.bodyLimit) : null,
    error: raw.error,
  };
}

function dispatched(agent: Agent, { url, headers, body, timeoutMs }: Exchange): Promise<Raw> {
  const { promise, resolve } = Promise.withResolvers<Raw>();
  const raw: Raw = { status: null, statusText: '', headers: {}, chunks: [], fault: null, error: null };
  let controller: Dispatcher.DispatchController | null = null;
  let settled = false;
  let bytes = 0;

  function settle(fault: AttemptEnd['fault'], error: string | null): void {
    if (settled) return;
    settled = true;
    clearTimeout(timer);
    const isGood = raw.status !== null && raw.status >= 200 && raw.status < 300;
    resolve({
      ...raw,
      fault,
      error:
        error ??
        (isGood
          ? null
          : printable(reasonSentence('http_status', { status: `${raw.status} ${raw.statusText}`.trim() }))),
    });
  }
  const timer = setTimeout(() => {
    settle('timeout', reasonSentence('delivery_timed_out', { seconds: timeoutMs / 1000 }));
    controller?.abort(new Error('timed out'));
  }, timeoutMs);

  agent.dispatch(
    { origin: url.origin, path: url.pathname + url.search, method: 'POST', headers, body },
    {
      onRequestStart(started) {
        controller = started;
        // The time limit passed before the connection opened, so the request must not be sent.
        if (settled) started.abort(new Error('timed out'));
      },
      onResponseStart(_, status, answerHeaders, statusText) {
        if (status < 200) return;
        raw.status = status;
        raw.statusText = statusText ?? '';
        raw.headers = answerHeaders;
      },
      onResponseData(current, chunk) {
        bytes += chunk.length;
        raw.chunks.push(chunk);
        if (bytes < maxRawBytes) return;
        settle(null, null);
        current.abort(new Error('the body is too long'));
      },
      // Waits one turn of the event loop, because undici frees the connection for the next request only then.
      onResponseEnd: () => void setImmediate(settle, null, null),
      onResponseError: (_, error) => settle(error instanceof RefusedEndpoint ? 'refused' : 'network', messageOf(error)),
    },
  );
  return promise;
}

function flat(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .slice(0, 100)
      .map(([name, value]) => [name, printable(Array.isArray(value) ? value.join(', ') : (value ?? ''))]),
  );
}

/** Reasons for the webhook's owner. Node's own messages are written for an operator. */
const certificateFaults = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate_self_signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate_untrusted',
  UNABLE_TO_GET_ISSUER_CERT: 'certificate_chain_incomplete',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate_chain_incomplete',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate_chain_incomplete',
  CERT_UNTRUSTED: 'certificate_untrusted',
  CERT_HAS_EXPIRED: 'certificate_expired',
  CERT_NOT_YET_VALID: 'certificate_not_yet_valid',
  CERT_REVOKED: 'certificate_revoked',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate_of_other_host',
} as const;

const isCertificateFault = (code: string): code is keyof typeof certificateFaults =>
  Object.hasOwn(certificateFaults, code);

/**
 * The message of the innermost cause, which says what happened. undici and Node wrap it, in a list if there are several
 * addresses.
 */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return messageOf(error.errors[0]);
  const failed = reasonSentence('connection_failed');
  if (!(error instanceof Error)) return failed;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null;
  if (code !== null && isCertificateFault(code)) return reasonSentence(certificateFaults[code], { detail: code });
  const text = error.message || failed;
  return printable(code === null || text.includes(code) ? text : `${text} (${code})`);
}

/**
 * Shortens a text and makes it storable in PostgreSQL, also in JSON: without NUL, and without half of a surrogate pair
 * at the place where it was cut.
 */
const printable = (text: string): string => text.replaceAll('\0', '\ufffd').slice(0, 1_000).toWellFormed();
