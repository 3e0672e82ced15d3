import { BottegaError } from './errors.ts';

/** Largest response, in bytes. No response of the service is larger: a list of files has at most 16 MiB. */
const maxBytes = 64 * 1024 * 1024;

/**
 * Reads the body of a response as text. Throws if the body is too long, so that an endless one does not fill the
 * memory.
 */
export async function textOf(answer: Pick<Response, 'body' | 'url' | 'status'>, max = maxBytes): Promise<string> {
  if (!answer.body) return '';
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return parts.join('') + decoder.decode();
    bytes += value.length;
    if (bytes > max) {
      reader.cancel().catch(() => undefined);
      const message = `${answer.url} responded with more than ${max} bytes`;
      throw new BottegaError(message, { code: 'UNEXPECTED_ANSWER', status: answer.status });
    }
    parts.push(decoder.decode(value, { stream: true }));
  }
}
