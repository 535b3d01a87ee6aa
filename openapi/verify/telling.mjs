/** A report in words: a line for each check, then what it comes to. */
export function told({ ok, version, head, checks, first_bad_version: bad, why }) {
  const lines = checks.map(
    (check) => `${check.ok ? "good" : "BAD "}  ${check.name}: ${check.checked} checked`,
  );
  lines.push("The play was not judged.");
  if (ok) lines.push(`good: ${version} ${head}`);
  else lines.push(`first bad version: ${bad}`, why);
  return lines.join("\n");
}
