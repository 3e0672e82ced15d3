import { expect, test } from 'vitest';
import { withRemedy } from './remedies.ts';

test.each([
  ['open("/dev/net/tun"): Permission denied', 'set the mode of the device to 0666'],
  ["bwrap: Can't mount proc on /newroot/proc: Operation not permitted", 'systempaths=unconfined'],
  ["bwrap: Can't set hostname to build: Operation not permitted", 'seccomp and AppArmor settings in compose.yaml'],
  ['bwrap: setting up uid map: Permission denied', 'kernel.apparmor_restrict_unprivileged_userns=0'],
  ['bwrap: Creating new namespace failed: Invalid argument', 'seccomp and AppArmor settings in compose.yaml'],
])('the problem %s is reported with a remedy', (problem, remedy) => {
  expect(withRemedy(problem)).toMatch(`${problem} (`);
  expect(withRemedy(problem)).toContain(remedy);
});

test('a problem without a known remedy is reported unchanged', () => {
  expect(withRemedy('bubblewrap (bwrap) is not installed')).toBe('bubblewrap (bwrap) is not installed');
});
