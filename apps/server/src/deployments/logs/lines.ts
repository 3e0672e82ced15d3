import { StringDecoder } from 'node:string_decoder';
import type { Mask } from './mask.ts';

const longestLine = 16_384;

export type LineSplitter = { write(chunk: Buffer): void; end(): void };

/**
 * Turns bytes into whole, masked lines. A secret that arrives in pieces is joined before it is masked. A line that is
 * too long is cut, but never inside a possible secret. Every character is read once, however it arrives.
 */
export function lineSplitter(mask: Mask, emit: (line: string) => void): LineSplitter {
  const decoder = new StringDecoder('utf8');
  let rest = '';

  function take(text: string): void {
    let from = 0;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', from)) {
      emitAll(mask(shown(rest + text.slice(from, at))));
      rest = '';
      from = at + 1;
    }
    rest += text.slice(from);
    if (rest.length <= longestLine + mask.longest) return;
    // A secret that starts before this point is complete. The rest waits for more text.
    const { masked, length } = mask.upTo(rest, rest.length - mask.longest);
    rest = rest.slice(length);
    emitAll(shown(masked));
  }

  function emitAll(line: string): void {
    for (let from = 0; from === 0 || from < line.length; from += longestLine) {
      emit(line.slice(from, from + longestLine));
    }
  }

  return {
    write: (chunk) => take(decoder.write(chunk)),
    end() {
      take(decoder.end());
      if (rest !== '') emitAll(mask(shown(rest)));
      rest = '';
    },
  };
}

/**
 * A carriage return starts the line again, as in a terminal. NULs are removed, because PostgreSQL cannot store them.
 */
function shown(line: string): string {
  const text = line.endsWith('\r') ? line.slice(0, -1) : line;
  return text.slice(text.lastIndexOf('\r') + 1).replaceAll('\0', '\ufffd');
}
