// @ts-check

/** An error that the service is told of by its code. @param {string} code @param {string} message */
export const refusal = (code, message) => Object.assign(new Error(message), { code });
