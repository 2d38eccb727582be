// What a text that somebody brought is.

// Tags in brackets, or turns with or without numbers. A position begins with men or points.
export const looksLikeRecord = /^\s*(\[\s*[A-Za-z]|\d+\s*\.|[a-z]\d+([-x][a-z]\d+)*(\s|$))/;
