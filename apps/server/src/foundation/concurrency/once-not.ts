const lookAgainMs = 30_000;

/**
 * Creates a function that returns false until `ask` has answered no, and true from then on. Calling the function starts
 * `ask` in the background.
 */
export function onceNot(ask: () => Promise<boolean>): () => boolean {
  let isSo = false;
  let nextLook = 0;
  return () => {
    if (isSo || Date.now() < nextLook) return isSo;
    nextLook = Date.now() + lookAgainMs;
    ask().then(
      (answer) => {
        isSo ||= !answer;
      },
      () => undefined,
    );
    return isSo;
  };
}
