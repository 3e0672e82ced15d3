import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lineSplitter } from './lines.ts';
import { createMask } from './mask.ts';

function linesOf(secrets: string[], chunks: (string | Buffer)[]): string[] {
  const lines: string[] = [];
  const splitter = lineSplitter(createMask(secrets), (line) => lines.push(line));
  for (const chunk of chunks) splitter.write(Buffer.from(chunk));
  splitter.end();
  return lines;
}

describe('a value is masked', () => {
  test('wherever and as often as it occurs in a line', () => {
    expect(linesOf(['s3cr3t!'], ['a s3cr3t! b s3cr3t!s3cr3t!\n'])).toEqual(['a *** b ******']);
  });

  test('if it has at least six characters', () => {
    expect(linesOf(['short', 'longer'], ['short longer'])).toEqual(['short ***']);
  });

  test('line by line if it has several lines, and as a whole if it contains another value', () => {
    const key = '-----BEGIN KEY-----\nabcdefghij\nxyz\n-----END KEY-----';
    expect(linesOf([key], [key])).toEqual(['***', '***', 'xyz', '***']);
    expect(linesOf(['secret', 'secretest-of-all'], ['secretest-of-all'])).toEqual(['***']);
  });

  test('when it is printed in pieces, even within a character', () => {
    const bytes = Buffer.from('x pässwörd y\n');
    expect(
      linesOf(
        ['pässwörd'],
        [...bytes].map((byte) => Buffer.from([byte])),
      ),
    ).toEqual(['x *** y']);
  });

  test('even if it contains special characters of regular expressions', () => {
    expect(linesOf(['a.*+?^{}()|[]$\\'], ['a.*+?^{}()|[]$\\ abbbbbbbbbbb'])).toEqual(['*** abbbbbbbbbbb']);
  });

  test('in an endless line, wherever the line is cut', () => {
    const secret = 'the-secret-value';
    fc.assert(
      fc.property(fc.integer({ min: 16_300, max: 16_500 }), fc.integer({ min: 1, max: 40_000 }), (before, piece) => {
        const text = `${'x'.repeat(before)}${secret}${'y'.repeat(40_000)}`;
        const chunks: string[] = [];
        for (let at = 0; at < text.length; at += piece) chunks.push(text.slice(at, at + piece));
        const all = linesOf([secret], chunks).join('');
        expect(all.replaceAll(/[xy]/g, '')).toBe('***');
      }),
      { numRuns: 60 },
    );
  });

  test('as a whole, however long it is', () => {
    const secret = Array.from({ length: 500 }, (_, index) => `${index}-`).join('');
    expect(linesOf([secret], [`a ${secret} b ${secret}${secret}`])).toEqual(['a *** b ******']);
  });

  test('as often as a simple search would find it', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 200 });
    fc.assert(
      fc.property(fc.array(text, { maxLength: 4 }), text, fc.nat(40), (secrets, line, cut) => {
        const mask = createMask(secrets);
        const all = secrets.filter((secret) => secret.length >= 6);
        const written = all.map((secret) => `${line}${secret}`).join('|');
        const { masked, length } = mask.upTo(written, Math.max(0, written.length - mask.longest - cut));
        const shown = masked + mask(written.slice(length));
        for (const secret of all) expect(shown).not.toContain(secret);
        expect(mask('|'.repeat(10) + line)).toContain('|'.repeat(10));
      }),
    );
  });

  test('even if a hundred long values have the same beginning as the line', () => {
    const secrets = Array.from({ length: 100 }, (_, index) => `${'a'.repeat(32_000 + index)}${index}`);
    const lines = linesOf(secrets, [`${'a'.repeat(100_000)}\n`, `${secrets[7]}\n`]);
    expect(lines.join('')).not.toContain('aaaaaaa');
  });
});

test('a carriage return starts the line again, and NUL and invalid bytes are shown as replacement characters', () => {
  expect(linesOf([], ['10%\r50%\r100%\r\nnext\0\n', Buffer.from([0xff, 0x0a])])).toEqual([
    '100%',
    'next\ufffd',
    '\ufffd',
  ]);
});
