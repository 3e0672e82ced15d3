import fc from 'fast-check';
import { expect, test } from 'vitest';
import { brokenMarkup } from './markup.fixture.ts';
import { readmeHtml } from './readme-html.ts';

const shown = (text: string): string => readmeHtml(Buffer.from(text));

test.each([
  ['# One\n\nTwo\nthree', '<h1>One</h1>\n<p>Two\nthree</p>'],
  ['- a\n- b\n  more\n\n1. c', '<ul><li>a</li><li>b more</li></ul>\n<ol><li>c</li></ol>'],
  ['```sh\na < b\n\n# c\n```\nd', '<pre><code>a &lt; b\n\n# c</code></pre>\n<p>d</p>'],
  [
    '| a | b |\n|---|---|\n| `c` | d |',
    '<table><tr><th>a</th><th>b</th></tr><tr><td><code>c</code></td><td>d</td></tr></table>',
  ],
  ['**a** *b* `*c*` \\*d\\*', '<p><strong>a</strong> <em>b</em> <code>*c*</code> *d*</p>'],
  ['[a](https://b.example/?c&d)', '<p><a href="https://b.example/?c&amp;d" rel="nofollow noopener">a</a></p>'],
  ['[a](LICENSE) [b](javascript:c)', '<p>a b</p>'],
  ['<b>x</b> & "y"', '<p>&lt;b&gt;x&lt;/b&gt; &amp; &quot;y&quot;</p>'],
])('the README %j is shown as %s', (text, html) => {
  expect(shown(text)).toBe(html);
});

test('any text gives a well-formed page with allowed elements only', () => {
  const pieces = fc.constantFrom(
    ...'#*`[]()<>|-\\!~"\n\n &a1_\ue000\ue001',
    '](https://x.example)',
    '```',
    '\n- ',
    '|---|',
    '<script>',
  );
  fc.assert(
    fc.property(fc.string({ unit: pieces, maxLength: 80 }), (text) => {
      const html = shown(text);
      const tags = [...html.matchAll(/<\/?([a-z0-9]+)/g)].map(([, tag]) => tag);
      const ours = [
        'h1',
        'h2',
        'h3',
        'h4',
        'h5',
        'h6',
        'p',
        'ul',
        'ol',
        'li',
        'pre',
        'code',
        'table',
        'tr',
        'th',
        'td',
        'strong',
        'em',
        'a',
      ];
      expect(ours).toEqual(expect.arrayContaining(tags));
      expect(brokenMarkup(html.replaceAll(/<\/?(strong|em|a)\b[^>]*>/g, ''))).toBeNull();
    }),
    { numRuns: 300 },
  );
});

test('a text that is too long is shown unformatted, up to its limit', () => {
  expect(shown('['.repeat(70_000))).toBe(`<pre>${'['.repeat(65_536)}</pre>`);
});

test('a text full of unclosed marks is shown quickly, however long its lines and items are', () => {
  const max = 65_000;
  const item = `- a\n${` ${'['.repeat(1900)}\n`.repeat(34)}`;
  const texts = ['[', '`', '``` `` ', '# ', '\\', '**a', '| ', '![](a', ' \t'].map((piece) =>
    piece.repeat(max / piece.length),
  );
  const heading = `#${' '.repeat(max - 10)}\u2028x`;
  for (const text of [item, heading, ...texts]) expect(shown(text)).toEqual(expect.any(String));
});
