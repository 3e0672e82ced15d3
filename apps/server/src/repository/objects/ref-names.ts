/** The default branch, whose files REST shows. */
export const mainRef = 'refs/heads/main';
