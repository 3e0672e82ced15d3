const maxBytes = 1024 * 1024;

/** A refusal that the client is meant to understand; anything else that is thrown is a 500 without a message. */
export class HttpError extends Error {
  constructor(status, message, headers = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

export async function readJson(request) {
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? '')) {
    throw new HttpError(415, 'The body must be application/json');
  }
  const chunks = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new HttpError(413, `A body may have at most ${maxBytes} bytes`, { connection: 'close' });
    chunks.push(chunk);
  }
  try {
    const value = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    if (value === null || typeof value !== 'object' || Array.isArray(value)) throw new SyntaxError();
    return value;
  } catch {
    throw new HttpError(400, 'The body is not a JSON object');
  }
}

export function sendJson(response, { status = 200, headers = {}, body }) {
  if (body === undefined) {
    response.writeHead(status, headers).end();
    return;
  }
  const text = JSON.stringify(body);
  response
    .writeHead(status, {
      ...headers,
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(text),
    })
    .end(text);
}

export function sendError(response, error) {
  const known = error instanceof HttpError;
  if (!known) console.error(error);
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const message = known ? error.message : 'Something went wrong on our side';
  sendJson(response, { status: known ? error.status : 500, headers: known ? error.headers : {}, body: { error: message } });
}
