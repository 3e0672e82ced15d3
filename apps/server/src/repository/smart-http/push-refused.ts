/** A push that is refused as a whole. The message is for the report, the lines are for the terminal. */
export class PushRefused extends Error {
  override readonly name = 'PushRefused';
  readonly lines: string[];

  constructor(message: string, lines: string[] = []) {
    super(message);
    this.lines = lines;
  }
}
