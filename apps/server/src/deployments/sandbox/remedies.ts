import { tunDevice } from './network.ts';

/** Remedies by messages of bwrap and related programs. The first match counts. */
const remedies: [RegExp, string][] = [
  [
    new RegExp(tunDevice),
    `the user of the service must be able to open ${tunDevice}: load the module tun and give the device mode 0666`,
  ],
  [
    /mount proc/,
    'a container hides parts of /proc: start it with systempaths=unconfined, or in Podman unmask=ALL, as compose.yaml does',
  ],
  [
    /namespace|Operation not permitted|Permission denied/,
    'this user cannot create namespaces: start the container with the seccomp and AppArmor settings of compose.yaml; ' +
      'on Ubuntu set kernel.apparmor_restrict_unprivileged_userns=0',
  ],
];

/** Explains a problem to an operator. */
export function withRemedy(problem: string): string {
  const remedy = remedies.find(([words]) => words.test(problem))?.[1];
  return remedy ? `${problem} (${remedy})` : problem;
}
