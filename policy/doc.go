// Package policy decides: which URLs, names and addresses may be asked, which
// crawl requests robots.txt allows, where the limits are. It is pure: no
// network, clock, log or state; callers act on its answers.
package policy
