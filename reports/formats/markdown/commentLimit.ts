/** Characters that a comment on GitHub may have. */
export const commentLimit = 65_536;
