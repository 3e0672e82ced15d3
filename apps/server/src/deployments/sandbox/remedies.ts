import { tunDevice } from './network.ts';

/** Remedies for messages of bwrap and related programs. The first match is used. */
const remedies: [RegExp, string][] = [
  [
    new RegExp(tunDevice),
    `the user that runs Bottega cannot open ${tunDevice}: load the kernel module tun, and set the mode of the device to 0666`,
  ],
  [
    /mount proc/,
    'the container hides parts of /proc: start it with systempaths=unconfined (in Podman: unmask=ALL), as compose.yaml does',
  ],
  [
    /namespace|Operation not permitted|Permission denied/,
    'this user cannot create namespaces: start the container with the seccomp and AppArmor settings in compose.yaml; ' +
      'on Ubuntu, set kernel.apparmor_restrict_unprivileged_userns=0',
  ],
];

/** Explains a problem to an operator. */
export function withRemedy(problem: string): string {
  const remedy = remedies.find(([words]) => words.test(problem))?.[1];
  return remedy ? `${problem} (${remedy})` : problem;
}
