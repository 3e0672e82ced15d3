const lookAgainMs = 30_000;

/**
 * Becomes true for good after the question was answered with no. It is asked when somebody wants to know, and until then
 * the answer is false.
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
