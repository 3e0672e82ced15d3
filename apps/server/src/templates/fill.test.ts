import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fillFile, slugOf } from './fill.ts';

const filled = (path: string, content: string | Buffer, values: Record<string, string | boolean>): string =>
  fillFile({ path, executable: false, content: Buffer.from(content) }, values, 1_000_000).content.toString('utf8');

/** Any text that the API takes: no control characters but line breaks and tabs. */
const anyText = fc
  .oneof(
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.string({ unit: fc.constantFrom(...'$', ...'\\\'"`{}<>/*&\n\t!-#a') }),
  )
  .filter((text) => !/[\p{Cc}\p{Cs}]/u.test(text.replaceAll(/[\r\n\t]/g, '')));
const evaluate = (code: string): unknown => new Function(`return ${code}`)();

describe('whatever a value is, the file stays what it is and says that value:', () => {
  test('JSON', () => {
    fc.assert(
      fc.property(anyText, (v) => {
        expect(JSON.parse(filled('/package.json', '{"a": "{{v}}"}', { v })).a).toBe(v);
      }),
    );
  });

  test('JavaScript and TypeScript, in quotes of every kind, beside a comment of either', () => {
    fc.assert(
      fc.property(anyText, (v) => {
        for (const quote of ["'", '"', '`']) {
          const code = filled('/a.ts', `/* {{v}} */ (${quote}{{v}}${quote}) // {{v}}`, { v });
          expect(evaluate(code)).toBe(v);
          expect(code.toLowerCase()).not.toContain('</script');
        }
      }),
    );
  });

  test('HTML, as text and as an attribute', () => {
    fc.assert(
      fc.property(anyText, (v) => {
        const page = filled('/index.html', '<p title="{{v}}">{{v}}</p>', { v });
        const [, title = '', text = ''] = /^<p title="([^"<>]*)">([^<>]*)<\/p>$/.exec(page) ?? [];
        const back = (escaped: string) =>
          escaped
            .replaceAll('&lt;', '<')
            .replaceAll('&gt;', '>')
            .replaceAll('&quot;', '"')
            .replaceAll('&#39;', "'")
            .replaceAll('&amp;', '&');
        expect([back(title), back(text)]).toEqual([v, v]);
      }),
    );
  });

  test('Python, in quotes of every kind', () => {
    const texts = fc.sample(anyText, 200);
    const lines = texts.map((v) => filled('/a.py', `r.append(["{{v}}", '{{v}}', """{{v}}"""])  # {{v}}`, { v }));
    const script = ['import json', 'r = []', ...lines, 'print(json.dumps(r))'].join('\n');
    const { stdout, stderr, error } = spawnSync('python3', ['-'], { input: script, encoding: 'utf8' });
    if (error) return;
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual(texts.map((v) => [v, v, v]));
  });

  test('a shell script, in double quotes', () => {
    const texts = fc.sample(anyText, 100);
    const script = texts.map((v) => filled('/a.sh', 'printf "%s\\0" "{{v}}"\n', { v })).join('');
    const { stdout } = spawnSync('/bin/sh', ['-s'], { input: script, encoding: 'utf8' });
    expect(stdout.split('\0').slice(0, -1)).toEqual(texts);
  });
});

test('in Markdown a value is text and no markup', () => {
  const v = '# *a* [b](c) <d> `e` &amp; f_g _h_ | ~~i~~ \\';
  expect(filled('/README.md', '{{v}}', { v })).toBe(
    '\\# \\*a\\* \\[b\\](c) \\<d\\> \\`e\\` &amp;amp; f_g \\_h\\_ \\| \\~\\~i\\~\\~ \\\\',
  );
});

test('in CSS a value cannot end a string or a comment', () => {
  expect(filled('/a.css', '/* {{v}} */', { v: '*/ "x" \\' })).toBe('/* \\2a \\2f  \\22 x\\22  \\5c  */');
});

test('anything else is plain text', () => {
  expect(filled('/LICENSE', '{{v}} {{ v }}', { v: `"&'` })).toBe(`"&' "&'`);
});

test('true and false are written as such', () => {
  expect(filled('/a.json', '{"a": {{yes}}, "b": {{no}}}', { yes: true, no: false })).toBe('{"a": true, "b": false}');
});

test('what is no variable stays, and a value is not looked into again', () => {
  expect(filled('/a.txt', '{{other}} {{v|upper}} {{ v}} {{toString}} {{{v}}}', { v: '{{v}}' })).toBe(
    '{{other}} {{v|upper}} {{v}} {{toString}} {{{v}}}',
  );
});

test('bytes that are no text stay as they are', () => {
  for (const content of [Buffer.from('{{v}}\0'), Buffer.from([0xff, ...Buffer.from('{{v}}')])]) {
    const file = { path: '/a.bin', executable: true, content };
    expect(fillFile(file, { v: 'x' }, 1000)).toBe(file);
  }
});

test.each([
  ['My App', 'my-app'],
  [`O'Hara & "Söhne" </script>`, 'o-hara-sohne-script'],
  ['Straße 7', 'strasse-7'],
  ['  --x--  ', 'x'],
  ['日本語', 'project'],
  ['', 'project'],
  ['x'.repeat(100), 'x'.repeat(60)],
  ['Ｆｕｌｌ', 'full'],
])('as one word, %j is %s', (text, slug) => {
  expect(slugOf(text)).toBe(slug);
});
