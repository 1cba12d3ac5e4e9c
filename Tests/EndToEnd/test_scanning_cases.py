"""The faults that people have reported of certificates and scanning, each by its number in the list of cases, and the tests that hold it."""

import pytest
from held import missing

READER = "PinwatchTLSTests/Certificates/CertificateReaderTests.swift:"
TIMES = "PinwatchTLSTests/Certificates/CertificateTimeTests.swift:"
PATHS = "PinwatchTLSTests/Paths/PathBuilderTests.swift:"
OPENSSL = "PinwatchScanTests/OpenSSLServerTests.swift:"
SPANS = "PinwatchCoreTests/Spans/SpanBookTests.swift:"
CERTIFICATES, CONNECTIONS = "EndToEnd/test_certificate_cases.py:", "EndToEnd/test_connection_cases.py:"
WATCHED = "EndToEnd/test_watched_cases.py:"
ODD = [f"EndToEnd/test_odd_certificates.py:{name}" for name in (
    "test_from_a_file_its_pin_is_printed_and_it_can_be_judged", "test_from_a_server_it_is_kept_as_sent_and_shown")]
MISBEHAVING = "EndToEnd/test_misbehaving.py:test_what_a_server_did_is_its_outcome_and_comes_in_time"

# number, what went wrong, tests as file (from Tests) and name
CASES = [
    (1, "a negative serial", [
        READER + "a serial is the signed hexadecimal of the bytes as sent", CERTIFICATES + "test_1_a_root_with_a_negative_serial_is_an_anchor", *ODD]),
    (2, "fractions of a second in a date", [
        TIMES + "a time is read in every form that was ever written", TIMES + "a time that is none costs itself",
        CERTIFICATES + "test_2_and_4_dates_of_every_form_are_read", *ODD]),
    (4, "the other form of a date", [
        TIMES + "a time is read in every form that was ever written", CERTIFICATES + "test_2_and_4_dates_of_every_form_are_read"]),
    (6, "names longer than they may be", [
        READER + "a name is RFC 4514 text whatever bytes it holds", WATCHED + "test_6_names_have_no_length"]),
    (7, "an entry that is no name", [
        READER + "an odd name is listed as it stands, flagged, and matches nothing",
        CERTIFICATES + "test_7_and_11_what_is_no_name_is_shown_and_matches_nothing"]),
    (9, "no subject, no issuer", [
        READER + "relative names are written last first, and an empty name is legal", CERTIFICATES + "test_9_a_leaf_and_an_authority_without_a_name_verify",
        *ODD]),
    (11, "a NUL in a name", [
        READER + "an odd name is listed as it stands, flagged, and matches nothing", READER + "a name is RFC 4514 text whatever bytes it holds",
        CERTIFICATES + "test_7_and_11_what_is_no_name_is_shown_and_matches_nothing", *ODD]),
    (13, "addresses among the names", [
        "PinwatchCoreTests/Certificates/HostMatchTests.swift:addresses match address entries only",
        "EndToEnd/test_peers.py:test_an_address_is_matched_by_its_own_kind_of_name",
        CONNECTIONS + "test_13_and_14_an_address_is_no_server_name_and_is_matched_as_one"]),
    (14, "an address as the server's name", [
        CONNECTIONS + "test_13_and_14_an_address_is_no_server_name_and_is_matched_as_one", CONNECTIONS + "test_14_the_oldest_hello_has_no_name_either",
        "PinwatchScanTests/ScannerTests.swift:an IP literal sends no server name",
        "PinwatchNamesTests/HostInputTests.swift:a target's server name is its host's name, and an address has none"]),
    (15, "a dot at the end", [
        CONNECTIONS + "test_15_a_strict_server_gets_the_name_without_its_dot", WATCHED + "test_15_and_16_names_are_kept_and_shown_in_one_form",
        "PinwatchNamesTests/HostInputTests.swift:hosts are normalised"]),
    (16, "a name with umlauts", [
        CONNECTIONS + "test_16_a_name_in_any_script_is_asked_for_by_its_a_label", WATCHED + "test_15_and_16_names_are_kept_and_shown_in_one_form"]),
    (18, "wildcards", [
        "PinwatchCoreTests/Certificates/HostMatchTests.swift:a wildcard is one whole leftmost label, and odd entries match nothing",
        CERTIFICATES + "test_18_a_wildcard_stands_for_one_label"]),
    (19, "a URL for a host", [
        "PinwatchNamesTests/HostInputTests.swift:everything else is refused with a reason that names what is wrong",
        "EndToEnd/test_commands.py:test_hosts_are_normalised", "EndToEnd/test_commands.py:test_what_is_no_host_is_refused_with_a_reason",
        "PinwatchCoreTests/Targets/TargetPasteTests.swift:What is no host is refused in its line, the others stand"]),
    (21, "a server without a certificate", [
        OPENSSL + "a server without a certificate refuses the phone and shows none to the legacy hello",
        CONNECTIONS + "test_21_a_server_without_a_certificate_is_told_as_one"]),
    (22, "a client certificate demanded", [
        "EndToEnd/test_peers.py:test_the_chain_is_kept_although_a_client_certificate_is_demanded",
        "EndToEnd/test_peers.py:test_nginx_asks_for_a_client_certificate_and_shakes_hands_without",
        OPENSSL + "a client certificate that is required is told, and the chain kept"]),
    (23, "an expired certificate is not seen", [
        "EndToEnd/test_spine.py:test_an_expired_certificate_is_kept_shown_and_told",
        "EndToEnd/test_peers.py:test_each_fault_is_named_and_the_chain_kept"]),
    (24, "an unknown end shown as one", [
        "PinwatchCoreTests/Evaluation/DateRulesTests.swift:an unknown end is no end",
        "PinwatchCoreTests/Evaluation/OverviewTests.swift:The summary's shape holds every member, and unknown is null",
        WATCHED + "test_24_and_25_what_is_not_known_is_null"]),
    (25, "a sentinel for no path", [
        "PinwatchCoreTests/Certificates/VerificationTests.swift:the certificate's JSON has every member, null where it is unknown",
        WATCHED + "test_24_and_25_what_is_not_known_is_null"]),
    (27, "an expired cross-sign that nobody needs", [
        "PinwatchCoreTests/Evaluation/DateRulesTests.swift:an extra expired cross-sign in the chain changes nothing",
        PATHS + "an expired cross-sign of a root that is trusted itself does not win",
        CERTIFICATES + "test_27_an_expired_cross_sign_that_is_not_needed_is_a_stray", WATCHED + "test_27_the_leaf_stays_fine"]),
    (29, "an intermediate left out", [
        PATHS + "a missing intermediate is named, with where it can be had", "EndToEnd/test_findings.py:test_each_fault_has_its_finding_and_no_other",
        CERTIFICATES + "test_29_the_missing_intermediate_is_named_with_where_it_is"]),
    (30, "two nodes behind one address", [
        SPANS + "nodes that alternate are two open spans for ever, without a row or an event per flip",
        "PinwatchCoreTests/Spans/RolloutTests.swift:nodes that alternate behind one address are no rollout",
        WATCHED + "test_30_nodes_that_alternate_are_two_spans_and_one_alert"]),
    (31, "a third identity lost in damping", [
        SPANS + "a third chain beside a rollout is unsettled and no part of it",
        "PinwatchCoreTests/Evaluation/ChangeJudgeTests.swift:a key that comes back is quiet within the flap window",
        "PinwatchCoreTests/Evaluation/ChangeJudgeTests.swift:to a third key soon after another change",
        WATCHED + "test_31_a_return_is_quiet_and_a_third_identity_is_not"]),
    (32, "the old certificate after its renewal", [
        OPENSSL + "a certificate swapped between two scans is seen by the second",
        WATCHED + "test_32_every_scan_is_a_connection_of_its_own_without_a_session"]),
    (33, "one of two certificates seen", [
        "EndToEnd/test_families.py:test_a_scan_shows_the_leaf_of_each_family",
        "EndToEnd/test_families.py:test_families_that_come_and_go_are_told_and_judged",
        OPENSSL + "both certificates of a server are seen by the hellos of their families",
        "PinwatchCoreTests/Spans/SpanFamilyTests.swift:a family appears only where it was refused before"]),
    (34, "one dead address", [
        "PinwatchCoreTests/Evaluation/ScanRulesTests.swift:one dead address is told after some scans, by itself",
        CONNECTIONS + "test_34_a_dead_address_hides_no_other", WATCHED + "test_34_a_dead_address_is_a_finding_of_one_of_two"]),
    (35, "a server that never speaks", [
        MISBEHAVING, "EndToEnd/test_misbehaving.py:test_the_deadline_is_one_over_dialogue_and_handshake",
        "EndToEnd/test_misbehaving.py:test_the_deadline_holds_before_the_switch_to_tls_too",
        "EndToEnd/test_misbehaving.py:test_a_server_that_never_stops_sending_is_left",
        "EndToEnd/test_misbehaving.py:test_addresses_that_stall_do_so_beside_one_another",
        "PinwatchScanTests/ScannerTests.swift:stalling targets do not delay live ones"]),
    (37, "STARTTLS forgotten by the second probe", [
        "EndToEnd/test_starttls.py:test_a_certificate_behind_each_protocol_is_seen_by_every_hello",
        "EndToEnd/test_starttls.py:test_a_watched_mail_server_is_spoken_to_at_every_scan",
        "PinwatchScanTests/DialogueTests.swift:a server that agrees comes to TLS, wherever what it says is cut"]),
    (39, "old Diffie-Hellman, old renegotiation", [
        "EndToEnd/test_weak.py:test_a_scan_names_the_weak_prime", "EndToEnd/test_weak.py:test_each_cause_is_a_finding_until_the_server_is_mended",
        OPENSSL + "a server that knows no key exchange but an old Diffie-Hellman is observed, and its prime told",
        "EndToEnd/test_misbehaving.py:test_a_chain_that_came_is_kept_whatever_came_after_it"]),
    (40, "one version of TLS alone", [
        OPENSSL + "each version is observed by the first hello that offers it", CONNECTIONS + "test_40_each_version_is_observed",
        "EndToEnd/test_peers.py:test_tls_1_2_alone_is_spoken"]),
    (41, "uncommon keys", [
        READER + "every kind of key has its digest, family and size", OPENSSL + "keys of every kind are observed by the phone hello",
        OPENSSL + "curves and keys that no phone offers are observed by the legacy hello", *ODD]),
    (42, "thousands of names", [
        READER + "ten thousand names are read", OPENSSL + "a certificate of 10,000 names is kept byte for byte",
        "PinwatchTLSTests/Handshake/CertificateMessageTests.swift:a certificate of 10,000 names is kept whole",
        CONNECTIONS + "test_42_thousands_of_names_are_seen_and_matched", WATCHED + "test_42_thousands_of_names_are_kept_and_lists_stay_small"]),
    (44, "a serial without its leading zero", [
        READER + "a serial is the signed hexadecimal of the bytes as sent", CERTIFICATES + "test_44_a_serial_is_its_bytes"]),
    (65, "two hundred tries of one alert", [
        "PinwatchAlertTests/ChannelCourierTests.swift:A receiver that is dead for ten minutes gets a handful of tries",
        "PinwatchAlertTests/CircuitTests.swift:Four failures do not open it, the fifth pauses 30 s",
        "PinwatchAlertTests/CircuitTests.swift:Retry-After pauses at the first failure",
        "PinwatchCoreTests/Alerts/RetryPolicyTests.swift:Retry-After lengthens a wait, never shortens it",
        "EndToEnd/test_webhooks.py:test_an_answer_that_asks_for_patience_gets_it"]),
    (67, "a restart tells again, or never tells the end", [
        "EndToEnd/test_crash.py:test_a_service_killed_at_any_checkpoint_loses_and_doubles_nothing",
        "EndToEnd/test_crash.py:test_a_service_killed_at_any_time_loses_and_doubles_nothing",
        "EndToEnd/test_spine.py:test_a_restart_between_any_two_steps_changes_nothing"]),
    (70, "the same alert every few minutes", [
        "PinwatchCoreTests/Alerts/AlertBookTests.swift:a finding opens an alert once, is kept without a change, and resolves with its end",
        WATCHED + "test_70_an_expired_certificate_is_told_once"]),
    (72, "an intermediate taken for the leaf", [
        "PinwatchCoreTests/Evaluation/DateRulesTests.swift:an intermediate's is milder, and the leaf stays out of it",
        "PinwatchCoreTests/Evaluation/DateRulesTests.swift:what ends next is the first leaf, and an intermediate only before its leaf",
        "PinwatchCoreTests/Rotation/PreflightTests.swift:a chain is judged as it would be served",
        CERTIFICATES + "test_72_of_a_file_with_two_the_leaf_is_judged"]),
]


@pytest.mark.parametrize("number, fault, tests", CASES, ids=[str(number) for number, _, _ in CASES])
def test_every_case_is_held_by_tests_that_exist(number, fault, tests):
    assert not missing(tests), f"{number}, {fault}"
