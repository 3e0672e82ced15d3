import { spawnSync } from 'node:child_process';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createBudget } from '../foundation/concurrency/budget.ts';
import { fillFile, measureFile, slugOf } from './fill.ts';

const endless = () => createBudget({ name: 'test', message: 'Too much' });

async function filled(path: string, content: string, values: Record<string, string | boolean>): Promise<string> {
  const file = await fillFile({ path, executable: false, content: Buffer.from(content) }, values, endless());
  return file.content.toString('utf8');
}

/** Any text that the API accepts: no control characters except line breaks and tabs. */
const anyText = fc
  .oneof(
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.string({ unit: fc.constantFrom(...'$', ...'\\\'"`{}<>/*&\n\t!-#a') }),
  )
  .filter((text) => !/[\p{Cc}\p{Cs}]/u.test(text.replaceAll(/[\r\n\t]/g, '')));
const evaluate = (code: string): unknown => new Function(`return ${code}`)();

describe('a filled-in file stays valid, and any value is read back from it unchanged, in', () => {
  test('JSON', () => {
    return fc.assert(
      fc.asyncProperty(anyText, async (v) => {
        expect(JSON.parse(await filled('/package.json', '{"a": "{{v}}"}', { v })).a).toBe(v);
      }),
    );
  });

  test('JavaScript and TypeScript, in quotes of every kind and beside comments', () => {
    return fc.assert(
      fc.asyncProperty(anyText, async (v) => {
        for (const quote of ["'", '"', '`']) {
          const code = await filled('/a.ts', `/* {{v}} */ (${quote}{{v}}${quote}) // {{v}}`, { v });
          expect(evaluate(code)).toBe(v);
          expect(code.toLowerCase()).not.toContain('</script');
        }
      }),
    );
  });

  test('HTML, as text and as an attribute', () => {
    return fc.assert(
      fc.asyncProperty(anyText, async (v) => {
        const page = await filled('/index.html', '<p title="{{v}}">{{v}}</p>', { v });
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

  test('Python, in quotes of every kind', async () => {
    const texts = fc.sample(anyText, 200);
    const lines = await Promise.all(
      texts.map((v) => filled('/a.py', `r.append(["{{v}}", '{{v}}', """{{v}}"""])  # {{v}}`, { v })),
    );
    const script = ['import json', 'r = []', ...lines, 'print(json.dumps(r))'].join('\n');
    const { stdout, stderr, error } = spawnSync('python3', ['-'], { input: script, encoding: 'utf8' });
    if (error) return;
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual(texts.map((v) => [v, v, v]));
  });

  test('a shell script, in double quotes', async () => {
    const texts = fc.sample(anyText, 100);
    const lines = await Promise.all(texts.map((v) => filled('/a.sh', 'printf "%s\\0" "{{v}}"\n', { v })));
    const script = lines.join('');
    const { stdout } = spawnSync('/bin/sh', ['-s'], { input: script, encoding: 'utf8' });
    expect(stdout.split('\0').slice(0, -1)).toEqual(texts);
  });
});

test('in Markdown, a value is plain text, not markup', async () => {
  const v = '# *a* [b](c) <d> `e` &amp; f_g _h_ | ~~i~~ \\';
  expect(await filled('/README.md', '{{v}}', { v })).toBe(
    '\\# \\*a\\* \\[b\\](c) \\<d\\> \\`e\\` &amp;amp; f_g \\_h\\_ \\| \\~\\~i\\~\\~ \\\\',
  );
});

test('in CSS, a value cannot end a string or a comment', async () => {
  expect(await filled('/a.css', '/* {{v}} */', { v: '*/ "x" \\' })).toBe('/* \\2a \\2f  \\22 x\\22  \\5c  */');
});

test('in all other files, a value is written as plain text', async () => {
  expect(await filled('/LICENSE', '{{v}} {{ v }}', { v: `"&'` })).toBe(`"&' "&'`);
});

test('booleans are filled in as true and false', async () => {
  expect(await filled('/a.json', '{"a": {{yes}}, "b": {{no}}}', { yes: true, no: false })).toBe(
    '{"a": true, "b": false}',
  );
});

test('text that is no valid placeholder stays, and placeholders within a value are not filled in', async () => {
  expect(await filled('/a.txt', '{{other}} {{v|upper}} {{ v}} {{toString}} {{{v}}}', { v: '{{v}}' })).toBe(
    '{{other}} {{v|upper}} {{v}} {{toString}} {{{v}}}',
  );
});

test('binary files stay as they are', async () => {
  for (const content of [Buffer.from('{{v}}\0'), Buffer.from([0xff, ...Buffer.from('{{v}}')])]) {
    const file = { path: '/a.bin', executable: true, content };
    expect(await fillFile(file, { v: 'x' }, endless())).toBe(file);
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
])('as a slug, %j becomes %s', (text, slug) => {
  expect(slugOf(text)).toBe(slug);
});

describe('filling in', () => {
  const file = { path: '/a.txt', executable: false, content: Buffer.from('{{v}}'.repeat(100_000)) };

  test('yields to the event loop, also within one file', async () => {
    let isDone = false;
    let turns = 0;
    const filling = fillFile(file, { v: '123456789' }, endless()).finally(() => {
      isDone = true;
    });
    for (; !isDone; turns++) await nextTurn();
    expect((await filling).content.length).toBe(900_000);
    expect(turns).toBeGreaterThan(1);
  });

  test('is measured first, and the measuring stops as soon as the budget is spent', async () => {
    const budget = createBudget({ name: 'test', entries: 1000, bytes: 2_000_000, message: 'Too much' });
    await expect(measureFile(file, { v: '' }, { fileLimit: 1_000_000, budget })).rejects.toThrow('Too much');
    expect(budget.spent().entries).toBe(1000);
  });
});
