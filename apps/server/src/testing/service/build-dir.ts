/**
 * The build directory for tests of one user; another user, such as root, could not write there. It is not below /tmp,
 * which a sandbox replaces.
 */
export const testBuildDir = `/var/tmp/bottega-test-builds-${process.getuid?.() ?? 0}`;
