# SPDX-License-Identifier: Apache-2.0
"""A decoder of Perfetto's format that accepts only fields of its schema, with their wire types. Numbers and types are
those of protos/perfetto/trace/trace.proto, trace_packet.proto and track_event/{track_event,track_descriptor,
process_descriptor,debug_annotation}.proto of github.com/google/perfetto."""

VARINT, FIXED64, BYTES = 0, 1, 2
TEXT, NUMBER = "text", "number"

DEBUG_ANNOTATION = {2: ("bool_value", NUMBER), 3: ("uint_value", NUMBER), 4: ("int_value", NUMBER), 6: ("string_value", TEXT),
                    10: ("name", TEXT)}
TRACK_EVENT = {4: ("debug_annotations", DEBUG_ANNOTATION), 9: ("type", NUMBER), 11: ("track_uuid", NUMBER),
               22: ("categories", TEXT), 23: ("name", TEXT), 47: ("flow_ids", FIXED64)}
PROCESS_DESCRIPTOR = {1: ("pid", NUMBER), 6: ("process_name", TEXT)}
THREAD_DESCRIPTOR = {1: ("pid", NUMBER), 2: ("tid", NUMBER), 5: ("thread_name", TEXT)}
TRACK_DESCRIPTOR = {1: ("uuid", NUMBER), 2: ("name", TEXT), 3: ("process", PROCESS_DESCRIPTOR), 4: ("thread", THREAD_DESCRIPTOR),
                    5: ("parent_uuid", NUMBER), 11: ("child_ordering", NUMBER), 12: ("sibling_order_rank", NUMBER),
                    19: ("process_ordering", NUMBER)}
TRACE_PACKET = {8: ("timestamp", NUMBER), 10: ("trusted_packet_sequence_id", NUMBER), 11: ("track_event", TRACK_EVENT),
                13: ("sequence_flags", NUMBER), 60: ("track_descriptor", TRACK_DESCRIPTOR)}
TRACE = {1: ("packet", TRACE_PACKET)}
SLICE_BEGIN, SLICE_END, INSTANT = 1, 2, 3


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            assert value < 1 << 64
            return value, at


def decode(data, schema=None):
    """The message as a dictionary: every field is a list of its values."""
    schema, message, at = schema or TRACE, {}, 0
    while at < len(data):
        key, at = varint(data, at)
        name, kind = schema[key >> 3]
        wire = key & 7
        assert wire == (VARINT if kind is NUMBER else FIXED64 if kind is FIXED64 else BYTES), name
        if kind is NUMBER:
            value, at = varint(data, at)
        elif kind is FIXED64:
            value, at = int.from_bytes(data[at:at + 8], "little"), at + 8
        else:
            size, at = varint(data, at)
            assert at + size <= len(data), f"{name} is cut off"
            value, at = data[at:at + size], at + size
            value = value.decode() if kind is TEXT else decode(value, kind)
        message.setdefault(name, []).append(value)
    return message


def packets(data):
    return decode(data)["packet"]
