import { describe, expect, test } from 'vitest';
import { presentRefs, whyNotNow } from '../store/ref-updates.ts';
import { whyNotCommand } from './push-rules.ts';

const sha = Buffer.alloc(20, 1);

describe('a reference cannot be pushed', () => {
  test.each([
    'refs/heads/a\u202eb',
    'refs/tags/\u2066x',
    'refs/heads/a\u200bb',
    'refs/heads/\ufeffa',
    'refs/heads/a\u0085',
  ])('with invisible characters in its name: %j', (name) => {
    expect(whyNotCommand({ name, from: null, to: sha })).toMatch(/invisible/);
    // References that existed before that rule can still be deleted.
    expect(whyNotCommand({ name, from: sha, to: null })).toBeNull();
  });

  test.each(['refs/heads/@', 'refs/tags/@'])(
    'with the name %s, which stands for HEAD, but an existing one can be deleted',
    (name) => {
      expect(whyNotCommand({ name, from: null, to: sha })).toBe('git does not allow this name');
      expect(whyNotCommand({ name, from: sha, to: null })).toBeNull();
    },
  );

  test('if there is another one above or below it, until that is deleted', () => {
    const present = presentRefs([
      { name: 'refs/heads/a/b/c', sha },
      { name: 'refs/heads/x', sha },
    ]);
    const ask = (name: string) => whyNotNow({ name, from: null, to: sha }, present);
    expect(ask('refs/heads/a')).toBe('its name conflicts with refs/heads/a/b/c');
    expect(ask('refs/heads/a/b')).toBe('its name conflicts with refs/heads/a/b/c');
    expect(ask('refs/heads/x/y/z')).toBe('its name conflicts with refs/heads/x');
    expect(ask('refs/heads/a/b/d')).toBeNull();
    present.remove('refs/heads/a/b/c');
    expect(ask('refs/heads/a')).toBeNull();
  });

  test('if the repository already has the maximum number, but existing ones can still move', () => {
    const refs = Array.from({ length: 10_000 }, (_, n) => ({ name: `refs/tags/${n}`, sha }));
    const present = presentRefs(refs);
    expect(whyNotNow({ name: 'refs/tags/new', from: null, to: sha }, present)).toMatch(/at most 10000 references/);
    expect(whyNotNow({ name: 'refs/tags/7', from: sha, to: Buffer.alloc(20, 2) }, present)).toBeNull();
  });
});
