/** Where the tests of one user build; another user, such as root, could not write there. Not below /tmp, which a sandbox replaces. */
export const testBuildDir = `/var/tmp/bottega-test-builds-${process.getuid?.() ?? 0}`;
