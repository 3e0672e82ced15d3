import { lexer } from 'marked';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { elementsOf, type Setting } from './markdown-elements.tsx';
import { destinationOf } from './markdown-links.ts';

const setting: Setting = {
  path: '/docs/guide.md',
  fileLink: (path) => `/files?path=${path}`,
  pictureLink: (path) => `/raw${path}`,
  showsRemote: false,
  visit: () => undefined,
};
const shown = (text: string, change: Partial<Setting> = {}) =>
  renderToStaticMarkup(elementsOf(lexer(text), { ...setting, ...change }));

describe('a Markdown document', () => {
  test.each([
    ['# Atlas & *maps*', '<h2 id="section-atlas--maps" data-depth="1">Atlas &amp; <em>maps</em></h2>'],
    ['a `b<c` **d** ~~e~~', '<p>a <code>b&lt;c</code> <strong>d</strong> <del>e</del></p>'],
    ['3. three\n4. four', '<ol start="3"><li>three</li><li>four</li></ol>'],
    ['- [x] done\n- [ ] open', '<ul><li>☑ done</li><li>☐ open</li></ul>'],
    ['```js\nif (a < b) {}\n```', '<pre tabindex="0"><code>if (a &lt; b) {}</code></pre>'],
    ['&copy; 2026 &#65; &unknown;', '<p>© 2026 A &amp;unknown;</p>'],
  ])('renders %s', (text, html) => {
    expect(shown(text)).toBe(html);
  });

  test('renders a table with its header and cells, aligned as specified', () => {
    expect(shown('| a | b |\n|---|--:|\n| 1 | 2 |')).toBe(
      '<table><thead><tr><th>a</th><th align="right">b</th></tr></thead>' +
        '<tbody><tr><td>1</td><td align="right">2</td></tr></tbody></table>',
    );
  });

  test.each([
    '<script>alert(1)</script>\n',
    '<img src=x onerror=alert(1)>',
    'a <iframe src="//evil.example"></iframe> b',
    '[a](javascript:alert(1))',
    '[a](JaVaScRiPt:alert(1))',
    '[a](data:text/html,hello)',
    '[a](//evil.example)',
    '![a](javascript:alert(1))',
    '<style>body { display: none }</style>',
    '[a](java&#115;cript:alert(1))',
  ])('contains nothing active: %s', (text) => {
    expect(shown(text)).not.toMatch(/<(script|iframe|style|img)|onerror=|href="(?!\/files)|alert\(1\)<\/script/i);
  });

  test('resolves links and pictures of the project relative to its folder', () => {
    expect(shown('[a](../src/main.ts#L3) ![b](img/b%20c.png)')).toBe(
      '<p><a href="/files?path=/src/main.ts">a</a> ' +
        '<img src="/raw/docs/img/b c.png" alt="b" referrerPolicy="no-referrer" loading="lazy"/></p>',
    );
  });

  test('does not load a picture of another site before the reader asks for it', () => {
    const text = '![badge](https://example.org/badge.svg)';
    expect(shown(text)).toBe('<p><span>badge</span></p>');
    expect(shown(text, { showsRemote: true })).toContain('src="https://example.org/badge.svg"');
  });

  test('shows a mention as a mention in a comment only, and elsewhere as plain text', () => {
    const text = 'Look, @ada. *@grace* `@code` mail@example.com';
    const mention = (name: string) => `<span class="mention">@${name}</span>`;
    expect(shown(text, { showsMentions: true })).toBe(
      `<p>Look, ${mention('ada')}. <em>${mention('grace')}</em> <code>@code</code> ` +
        '<a href="mailto:mail@example.com" target="_blank" rel="noreferrer nofollow">mail@example.com</a></p>',
    );
    expect(shown(text)).not.toContain('class="mention"');
  });

  test('is cut at a maximum depth of nesting', () => {
    expect(shown('> '.repeat(200)).match(/<blockquote>/g)?.length).toBeLessThan(60);
  });
});

test.each([
  ['#Über uns', { kind: 'section', id: 'section-über-uns' }],
  ['../../../../etc/passwd', { kind: 'file', path: '/etc/passwd' }],
  ['/README.md', { kind: 'file', path: '/README.md' }],
  ['%E0%A4%A', { kind: 'file', path: '/docs/%E0%A4%A' }],
  ['vbscript:x', null],
  ['\\\\evil.example', null],
])('a link to %s leads to a section or a file, or nowhere if it is unsafe', (href, destination) => {
  expect(destinationOf(href, '/docs/guide.md')).toEqual(destination);
});
