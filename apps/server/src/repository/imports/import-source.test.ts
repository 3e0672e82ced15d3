import { expect, test } from 'vitest';
import { resolveSource } from './import-source.ts';

const everything = () => true;

test.each(['http://-pin.localhost/x.git', 'http://+pin.localhost/x.git', 'http://a,b.localhost/x.git'])(
  'a host that git would take for something else than a name is refused: %s',
  async (address) => {
    await expect(resolveSource(address, everything)).rejects.toThrow(/is not the name of a host/);
  },
);

test('the name that is pinned is the one that git looks up, also where it ends in a dot', async () => {
  const { url, pinned } = await resolveSource('http://localhost.:8080/x.git', everything);
  expect(url).toBe('http://localhost:8080/x.git');
  expect(pinned).toEqual([expect.stringMatching(/^http\.curloptResolve=localhost:8080:/)]);
});
