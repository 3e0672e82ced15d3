/** What the app calls itself. */
export const name = '{{project_name}}';
export const description = '{{description}}';
