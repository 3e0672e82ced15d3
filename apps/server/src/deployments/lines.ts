import { StringDecoder } from 'node:string_decoder';
import type { Mask } from './mask.ts';

const longestLine = 16_384;

/**
 * Bytes as they arrive in, whole lines out, masked. A secret that is written in pieces is whole again before it is
 * looked for; a line without end is cut, but never in the middle of something that could become a secret.
 */
export function lineSplitter(mask: Mask, emit: (line: string) => void): { write(chunk: Buffer): void; end(): void } {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  function take(text: string): void {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) emit(mask(shown(line)));
    while (rest.length > longestLine + mask.longest) {
      // What was covered stays covered: the rest is taken from the masked text.
      rest = mask(shown(rest));
      if (rest.length <= longestLine + mask.longest) break;
      emit(rest.slice(0, longestLine));
      rest = rest.slice(longestLine);
    }
  }
  return {
    write: (chunk) => take(decoder.write(chunk)),
    end() {
      take(decoder.end());
      if (rest !== '') emit(mask(shown(rest)));
      rest = '';
    },
  };
}

/** A carriage return starts the line again, as a terminal shows it; PostgreSQL's text cannot hold NUL. */
function shown(line: string): string {
  const text = line.endsWith('\r') ? line.slice(0, -1) : line;
  return text.slice(text.lastIndexOf('\r') + 1).replaceAll('\0', '\ufffd');
}
