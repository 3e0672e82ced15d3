/**
 * The system calls that a run may make. Everything that builds and servers use is allowed. Calls that administer a
 * machine, inspect other processes, or expose more of the kernel than a build needs are not allowed. `compile.ts`
 * compiles this list. The running service never reads it.
 */

export const errors = { EPERM: 1, ENOSYS: 38, EAFNOSUPPORT: 97 } as const;

export type Action = 'allow' | keyof typeof errors;

/** A rule for one argument, of which the kernel uses 32 bits in all of these calls. */
export type Rule = {
  argument: 0 | 1 | 2;
  when: { oneOf: number[] } | { anyBitOf: number };
  matched: Action | Rule;
  otherwise: Action | Rule;
};

const words = (text: string): string[] => text.trim().split(/\s+/);

const files = words(`
  access chdir chmod chown close close_range copy_file_range creat dup dup2 dup3 faccessat faccessat2 fadvise64 fallocate
  fchdir fchmod fchmodat fchown fchownat fcntl fdatasync fgetxattr flistxattr flock fremovexattr fsetxattr fstat fstatfs
  fsync ftruncate futimesat getcwd getdents getdents64 getxattr inotify_add_watch inotify_init inotify_init1
  inotify_rm_watch lchown lgetxattr link linkat listxattr llistxattr lremovexattr lseek lsetxattr lstat mkdir mkdirat mknod
  mknodat newfstatat open openat openat2 pread64 preadv preadv2 pwrite64 pwritev pwritev2 read readahead readlink readlinkat
  readv removexattr rename renameat renameat2 rmdir sendfile setxattr splice stat statfs statx symlink symlinkat sync
  sync_file_range syncfs tee truncate umask unlink unlinkat utime utimensat utimes vmsplice write writev
`);

const memory = words(`
  brk madvise membarrier memfd_create memfd_secret mincore mlock mlock2 mlockall mmap mprotect mremap msync munlock
  munlockall munmap pkey_alloc pkey_free pkey_mprotect remap_file_pages
`);

const processes = words(`
  alarm arch_prctl capget capset execve execveat exit exit_group fork futex futex_waitv get_robust_list get_thread_area
  getcpu getegid geteuid getgid getgroups getitimer getpgid getpgrp getpid getppid getpriority getresgid getresuid getrlimit
  getrusage getsid gettid getuid ioprio_get ioprio_set kill landlock_add_rule landlock_create_ruleset
  landlock_restrict_self nanosleep pause pidfd_open pidfd_send_signal prctl prlimit64 restart_syscall rseq rt_sigaction
  rt_sigpending rt_sigprocmask rt_sigqueueinfo rt_sigreturn rt_sigsuspend rt_sigtimedwait rt_tgsigqueueinfo
  sched_get_priority_max sched_get_priority_min sched_getaffinity sched_getattr sched_getparam sched_getscheduler
  sched_rr_get_interval sched_setaffinity sched_setattr sched_setparam sched_setscheduler sched_yield seccomp
  set_robust_list set_thread_area set_tid_address setfsgid setfsuid setgid setgroups setitimer setpgid setpriority setregid
  setresgid setresuid setreuid setrlimit setsid setuid sigaltstack tgkill times tkill vfork wait4 waitid
`);

const waitingAndTime = words(`
  clock_getres clock_gettime clock_nanosleep epoll_create epoll_create1 epoll_ctl epoll_pwait epoll_pwait2 epoll_wait
  eventfd eventfd2 getrandom gettimeofday poll ppoll pselect6 select signalfd signalfd4 sysinfo time timer_create timer_delete timer_getoverrun timer_gettime timer_settime
  timerfd_create timerfd_gettime timerfd_settime uname
`);

const talking = words(`
  accept accept4 bind connect getpeername getsockname getsockopt listen mq_getsetattr mq_notify mq_open mq_timedreceive
  mq_timedsend mq_unlink msgctl msgget msgrcv msgsnd pipe pipe2 recvfrom recvmmsg recvmsg semctl semget semop semtimedop
  sendmmsg sendmsg sendto setsockopt shmat shmctl shmdt shmget shutdown socketpair
`);

export const allowed = [...files, ...memory, ...processes, ...waitingAndTime, ...talking];

const newNamespaces = 0x7e02_0000;
const [unix, inet, inet6, netlink] = [1, 2, 10, 16];
export const socketFamilies = [unix, inet, inet6, netlink];
/** Lists addresses and routes, which Node needs for its network interfaces. */
const netlinkRoute = 0;
/** Linux and 32-bit Linux, both also with an old version number, and the query for the current value. */
export const personalities = [0, 8, 0x20000, 0x20008, 0xffff_ffff];
/** Both calls insert characters into the input of a terminal. The second is for a console. */
const [tiocsti, tioclinux] = [0x5412, 0x541c];

export const rules: Record<string, Action | Rule> = {
  clone: { argument: 0, when: { anyBitOf: newNamespaces }, matched: 'EPERM', otherwise: 'allow' },
  // The flags of this call are in memory, which a filter cannot read. If the call fails, every C library uses `clone`
  // instead.
  clone3: 'ENOSYS',
  ioctl: { argument: 1, when: { oneOf: [tiocsti, tioclinux] }, matched: 'EPERM', otherwise: 'allow' },
  socket: {
    argument: 0,
    when: { oneOf: [unix, inet, inet6] },
    matched: 'allow',
    otherwise: {
      argument: 0,
      when: { oneOf: [netlink] },
      matched: { argument: 2, when: { oneOf: [netlinkRoute] }, matched: 'allow', otherwise: 'EAFNOSUPPORT' },
      otherwise: 'EAFNOSUPPORT',
    },
  },
  // These calls expose much of the kernel, and few programs use them. Those programs fall back to ordinary reads and
  // writes.
  io_setup: 'ENOSYS',
  personality: { argument: 0, when: { oneOf: personalities }, matched: 'allow', otherwise: 'EPERM' },
};
