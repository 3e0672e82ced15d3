/** The default branch, of which REST shows the files. */
export const mainRef = 'refs/heads/main';
