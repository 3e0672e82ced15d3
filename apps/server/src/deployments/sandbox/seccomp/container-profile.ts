import { allowed, errors, personalities, socketFamilies } from './profile.ts';

/**
 * The system calls of a container in which the service runs with its sandbox. They include the calls that builds may
 * make, and those that bwrap and slirp4netns need for namespaces. An engine's own profile reserves the latter for root.
 * They grant no more than what the kernel grants to every user of a machine without a container. Builds cannot make
 * them, because their own filter also applies.
 */
const ofSandbox = ['chroot', 'clone', 'mount', 'pivot_root', 'sethostname', 'setns', 'umount2', 'unshare'];
/** Builds may not use this call to write to a terminal. The container of the service has no terminal. */
const narrowedInside = ['ioctl'];

/**
 * The profile in the format of Docker and Podman. A call that is not in it fails as it does on a kernel without that
 * call.
 */
export function containerProfile() {
  return {
    defaultAction: 'SCMP_ACT_ERRNO',
    defaultErrnoRet: errors.ENOSYS,
    archMap: ['SCMP_ARCH_X86_64', 'SCMP_ARCH_AARCH64'].map((architecture) => ({ architecture, subArchitectures: [] })),
    syscalls: [
      { names: [...allowed, ...ofSandbox, ...narrowedInside].sort(), action: 'SCMP_ACT_ALLOW' },
      ...socketFamilies.map((family) => allowIf('socket', family)),
      ...personalities.map((personality) => allowIf('personality', personality)),
    ],
  };
}

/** The format allows only one condition for an argument, so each value needs its own entry. */
const allowIf = (name: string, value: number) => ({
  names: [name],
  action: 'SCMP_ACT_ALLOW',
  args: [{ index: 0, value, op: 'SCMP_CMP_EQ' }],
});
