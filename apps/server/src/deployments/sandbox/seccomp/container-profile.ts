import { allowed, errors, personalities, socketFamilies } from './profile.ts';

/**
 * The system calls of a container in which the service runs with its sandbox: all that a build may make, and those that
 * bwrap and slirp4netns make namespaces with, which an engine's own profile keeps to root. They give nobody more than the
 * kernel gives to every user of a machine without a container, and builds cannot make them: their filter comes on top.
 */
const ofSandbox = ['chroot', 'clone', 'mount', 'pivot_root', 'sethostname', 'setns', 'umount2', 'unshare'];
/** A build may not write into a terminal by it; a container of the service has none. */
const narrowedInside = ['ioctl'];

/** In the form that Docker and Podman read. What it does not name fails as on a kernel that does not know it. */
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

/** The form knows one condition on an argument: each value is an entry of its own. */
const allowIf = (name: string, value: number) => ({
  names: [name],
  action: 'SCMP_ACT_ALLOW',
  args: [{ index: 0, value, op: 'SCMP_CMP_EQ' }],
});
